import { verifyPassword } from '../util/hash.ts';
import { openSession, type Session } from './session.ts';

export interface Account {
  name: string;
  passwordHash: string;
  failedLogins: number;
  lockedUntil?: number;
}

export type LoginResult =
  | { ok: true; session: Session }
  | { ok: false; reason: 'unknown' | 'wrong-password' | 'locked' };

/** After this many wrong passwords in a row an account is locked. */
export const MAX_FAILED_LOGINS = 3;
const LOCK_MS = 15 * 60 * 1000;

export class LoginService {
  private readonly accounts = new Map<string, Account>();

  add(account: Account): void {
    this.accounts.set(account.name.toLowerCase(), account);
  }

  login(name: string, password: string, now = Date.now()): LoginResult {
    const account = this.accounts.get(name.trim().toLowerCase());
    if (!account) return { ok: false, reason: 'unknown' };
    if (isLocked(account, now)) return { ok: false, reason: 'locked' };

    if (!verifyPassword(password, account.passwordHash)) {
      account.failedLogins += 1;
      if (account.failedLogins > MAX_FAILED_LOGINS) {
        account.lockedUntil = now + LOCK_MS;
        account.failedLogins = 0;
      }
      return { ok: false, reason: 'wrong-password' };
    }

    account.failedLogins = 0;
    return { ok: true, session: openSession(account.name, now) };
  }
}

function isLocked(account: Account, now: number): boolean {
  return account.lockedUntil !== undefined && now < account.lockedUntil;
}
