// 客户能看到的所有文字都放在这里，代码的其他地方不写死任何提示。
// 新增一条提示时，两种语言都要写；缺少中文时显示英文。

type Language = 'en' | 'zh';

const messages = {
  // 登录模块用到的提示
  'login.unknown': { en: 'There is no such account.', zh: '账号不存在。' },
  'login.wrong-password': { en: 'The password is wrong.', zh: '密码不正确。' },
  'login.locked': { en: 'Too many failed logins. Try again in 15 minutes.', zh: '登录失败次数过多，请 15 分钟后再试。' },
  // 会话过期后的提示
  'session.expired': { en: 'Please log in again.', zh: '请重新登录。' },
} as const;

export type MessageKey = keyof typeof messages;

/** 返回给客户看的一句话。 */
export function message(key: MessageKey, language: Language): string {
  return messages[key][language] ?? messages[key].en;
}
