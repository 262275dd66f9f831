import { randomUUID } from 'node:crypto';

export interface Session {
  token: string;
  userName: string;
  expiresAt: number;
}

const SESSION_MS = 8 * 60 * 60 * 1000;
const sessions = new Map<string, Session>();

/** Called after a successful login only. */
export function openSession(userName: string, now = Date.now()): Session {
  const session = { token: randomUUID(), userName, expiresAt: now + SESSION_MS };
  sessions.set(session.token, session);
  return session;
}

export function findSession(token: string, now = Date.now()): Session | undefined {
  const session = sessions.get(token);
  if (!session) return undefined;
  if (session.expiresAt <= now) {
    sessions.delete(token);
    return undefined;
  }
  return session;
}

export function logout(token: string): void {
  sessions.delete(token);
}
