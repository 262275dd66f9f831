// Everything the demo model says, in English and Chinese. It never claims to understand: it says what its rules found.
import type { Language } from './conversation.ts';
import type { CodeTask } from './intents.ts';
import type { Smell } from './source.ts';

const en = {
	intro:
		'I am the built-in demo model: **no AI**, only a program that follows simple rules. I work through the real loop, tools ' +
		'and permission prompts, so you can see how they feel.',
	abilities: [
		'What I can do:',
		'',
		'- search: `find login`',
		'- read a file and show its outline: `read src/auth/login.ts`',
		'- replace text in a file: `replace "foo" by "bar" in README.md`',
		'- run a command: `run npm test`',
		'- make a todo list: `plan: read, change, test`',
		'',
		'For anything else choose a real model in the settings.',
	].join('\n'),
	notUnderstood: 'No rule of mine fits what you wrote.',
	noTool: (name: string) =>
		`That needs the tool ${name}, which is not offered to me now (the mode or a rule may exclude it).`,
	enough: 'I stop here: my rules allow only a few steps for one prompt.',
	noResult: (name: string) => `The tool ${name} gave no result, so I stop here.`,
	searching: (words: string) => `I search for ${words}.`,
	searchingWider: 'No place has these words together; I search for each of them.',
	reading: (path: string) => `I read \`${path}\`.`,
	readingBest: (path: string) => `Most of it is in \`${path}\`; I read that file.`,
	running: (command: string) => `I run ${command}.`,
	listing: (count: number) => `I put ${count} ${count === 1 ? 'item' : 'items'} on the list.`,
	replacing: (from: string, to: string, path: string) => `I replace ${from} by ${to} in \`${path}\`.`,
	times: (count: number) => `It occurs ${count} times; all of them are replaced.`,
	found: (words: string, places: number, files: number) =>
		`${words}: ${places} ${places === 1 ? 'place' : 'places'} in ${files} ${files === 1 ? 'file' : 'files'}.`,
	more: (count: number) => `… and ${count} more.`,
	nothingFound: (words: string) => `I found no place with ${words} in this folder.`,
	searchUnclear: 'The search answered, but not with places that I can read:',
	outlineOf: (path: string) => `Outline of \`${path}\`:`,
	fileIs: (path: string, lines: number, language: string | undefined) =>
		`\`${path}\` has ${lines} ${lines === 1 ? 'line' : 'lines'}${language ? ` of ${language}` : ''}.`,
	noOutline: 'My rules find no declarations or headings in it. It begins:',
	emptyFile: (path: string) => `\`${path}\` came back without lines:`,
	notInFile: (from: string, path: string) => `\`${path}\` does not contain ${from}, so I changed nothing.`,
	same: 'Both texts are the same, so there is nothing to change.',
	replaced: (path: string) => `Done: \`${path}\` is changed.`,
	ran: (command: string) => `The command ${command} has ended. Its output:`,
	noOutput: '(no output)',
	listed: 'The list stands in the panel. I only keep it; the work itself needs you or a real model.',
	listEmpty: 'Tell me what belongs on the list, for example `plan: read, change, test`.',
	failed: (name: string) => `${name} did not work. The answer was:`,
	denied: (name: string) => `${name} was not allowed, so I did not do it. The answer was:`,
	codeIs: (path: string, lines: number, language: string | undefined) =>
		`These are ${lines} ${lines === 1 ? 'line' : 'lines'}${language ? ` of ${language}` : ''} from \`${path}\`.`,
	declares: 'It declares:',
	declaresNothing: 'My rules find no declarations in it.',
	smellsFound: 'My rules find these places doubtful:',
	noSmells: 'None of my simple rules finds anything doubtful in it.',
	undocumented: 'These declarations have no comment above them:',
	allDocumented: 'Every declaration that I find has a comment above it.',
	testable: 'Tests could call these, one for the usual case, one for the edge, one for the error:',
	task: {
		explain: 'What the code is for, only a real model can say.',
		fix: 'I changed nothing: a real fix needs a real model.',
		improve: 'I changed nothing: better code needs a real model.',
		tests: 'I wrote no tests: that needs a real model.',
		document: 'I wrote no comments: that needs a real model.',
	} satisfies Record<CodeTask, string>,
	smell: {
		note: 'a note left in the code',
		loose_equality: 'loose comparison',
		console: 'console output',
		any: '`any` switches type checks off',
		empty_catch: 'an error is swallowed',
		var: '`var`',
		long_line: 'a very long line',
	} satisfies Record<Smell, string>,
};

/** The sentences of one language. */
export type Texts = typeof en;

const zh: Texts = {
	intro:
		'我是内置的演示模型:**不是 AI**,只是按简单规则行事的程序。我走的是真实的循环、工具和权限询问,您可以借此了解它们用起来怎样。',
	abilities: [
		'我会做的事:',
		'',
		'- 搜索:`查找 登录`',
		'- 读取文件并给出大纲:`读一下 src/auth/login.ts`',
		'- 在文件里替换文字:`把 README.md 里的 "foo" 改成 "bar"`',
		'- 运行命令:`运行 npm test`',
		'- 列待办清单:`待办:阅读、修改、测试`',
		'',
		'其他事情请在设置里选择真正的模型。',
	].join('\n'),
	notUnderstood: '您写的内容不符合我的任何一条规则。',
	noTool: (name) => `这需要工具 ${name},但现在没有提供给我(可能被当前模式或规则排除)。`,
	enough: '我到此为止:我的规则对一次提问只允许几个步骤。',
	noResult: (name) => `工具 ${name} 没有返回结果,我到此为止。`,
	searching: (words) => `我来搜索 ${words}。`,
	searchingWider: '没有一处同时含有这些词,我分别搜索每个词。',
	reading: (path) => `我来读取 \`${path}\`。`,
	readingBest: (path) => `大多在 \`${path}\` 中,我来读取这个文件。`,
	running: (command) => `我来运行 ${command}。`,
	listing: (count) => `我把 ${count} 项写进清单。`,
	replacing: (from, to, path) => `我把 \`${path}\` 里的 ${from} 换成 ${to}。`,
	times: (count) => `它出现了 ${count} 次,全部替换。`,
	found: (words, places, files) => `${words}:在 ${files} 个文件中找到 ${places} 处。`,
	more: (count) => `……另有 ${count} 处。`,
	nothingFound: (words) => `在这个文件夹里没有找到 ${words}。`,
	searchUnclear: '搜索有了回答,但其中没有我能读懂的位置:',
	outlineOf: (path) => `\`${path}\` 的大纲:`,
	fileIs: (path, lines, language) => `\`${path}\` 共 ${lines} 行${language ? `,语言是 ${language}` : ''}。`,
	noOutline: '按我的规则在其中找不到声明或标题。它的开头是:',
	emptyFile: (path) => `读取 \`${path}\` 没有得到任何行:`,
	notInFile: (from, path) => `\`${path}\` 里没有 ${from},所以我什么也没改。`,
	same: '两段文字相同,没有可改的。',
	replaced: (path) => `完成:\`${path}\` 已修改。`,
	ran: (command) => `命令 ${command} 已结束,输出如下:`,
	noOutput: '(没有输出)',
	listed: '清单已在面板中。我只负责记下它,事情本身要由您或真正的模型来做。',
	listEmpty: '请告诉我清单里要写什么,例如 `待办:阅读、修改、测试`。',
	failed: (name) => `${name} 没有成功,得到的回答是:`,
	denied: (name) => `${name} 没有得到允许,所以我没有做。得到的回答是:`,
	codeIs: (path, lines, language) => `这是 \`${path}\` 中的 ${lines} 行${language ? ` ${language} ` : ''}代码。`,
	declares: '其中声明了:',
	declaresNothing: '按我的规则在其中找不到声明。',
	smellsFound: '按我的规则,这些地方值得怀疑:',
	noSmells: '我的简单规则没有发现可疑之处。',
	undocumented: '这些声明上方没有注释:',
	allDocumented: '我找到的每个声明上方都有注释。',
	testable: '测试可以调用这些,各写一个常规、一个边界、一个出错的用例:',
	task: {
		explain: '代码的用意只有真正的模型才说得出。',
		fix: '我没有改动任何内容:真正的修复需要真正的模型。',
		improve: '我没有改动任何内容:改进代码需要真正的模型。',
		tests: '我没有编写测试:这需要真正的模型。',
		document: '我没有编写注释:这需要真正的模型。',
	},
	smell: {
		note: '代码里留下的备注',
		loose_equality: '宽松比较',
		console: '控制台输出',
		any: '`any` 关闭了类型检查',
		empty_catch: '错误被吞掉',
		var: '`var`',
		long_line: '行太长',
	},
};

/** What to say in this language. */
export function textsFor(language: Language): Texts {
	return language === 'zh' ? zh : en;
}
