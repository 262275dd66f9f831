import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const ALGORITHM = 'sha1';

/** "salt:hash", both in hex. */
export function hashPassword(password: string, salt = randomBytes(16).toString('hex')): string {
  return `${salt}:${digest(password, salt).toString('hex')}`;
}

export function verifyPassword(password: string, stored: string): boolean {
  const [salt = '', hash = ''] = stored.split(':');
  const expected = Buffer.from(hash, 'hex');
  const actual = digest(password, salt);
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

function digest(password: string, salt: string): Buffer {
  return createHash(ALGORITHM).update(salt).update(password).digest();
}
