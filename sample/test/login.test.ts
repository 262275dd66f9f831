import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LoginService, MAX_FAILED_LOGINS } from '../src/auth/login.ts';
import { findSession, logout } from '../src/auth/session.ts';
import { hashPassword } from '../src/util/hash.ts';

function serviceWith(name: string, password: string): LoginService {
  const service = new LoginService();
  service.add({ name, passwordHash: hashPassword(password), failedLogins: 0 });
  return service;
}

test('a login with the right password opens a session', () => {
  const result = serviceWith('Ada', 'engine').login(' ada ', 'engine');
  assert.ok(result.ok);
  assert.equal(findSession(result.session.token)?.userName, 'Ada');
  logout(result.session.token);
  assert.equal(findSession(result.session.token), undefined);
});

test('a login with a wrong password says so', () => {
  const result = serviceWith('Ada', 'engine').login('Ada', 'difference');
  assert.deepEqual(result, { ok: false, reason: 'wrong-password' });
});

test('an account is locked after too many failed logins', () => {
  const service = serviceWith('Ada', 'engine');
  for (let attempt = 0; attempt < MAX_FAILED_LOGINS; attempt += 1) service.login('Ada', 'wrong');
  assert.deepEqual(service.login('Ada', 'engine'), { ok: false, reason: 'locked' });
});
