import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { sealTotp } from '../../../src/accounts/staff/second-factor.ts';
import type { StaffRole } from '../../../src/accounts/staff/staff.ts';
import type { Pool } from '../../../src/core/postgres/db.ts';
import type { Secrets } from '../../../src/core/secret/secrets.ts';
import type { TestService } from '../service/service.ts';

const PASSWORD = 'correct horse battery';
// A stored hash with a low cost, made beforehand: a real one takes 0.4 s at every sign-in.
const PASSWORD_HASH = 'scrypt$1024$8$1$YSkLBOq_wMIL74vMdbOOdQ$d1-Yd6xVLAWbUJH1jY9sJVC9athASLfy2KKLcKJY8Hc';

export interface TestStaff {
  id: string;
  email: string;
  password: string;
  role: StaffRole;
  /** The secret of the second factor in base32, or undefined before it is set up. */
  totpSecret: string | undefined;
  /** The code of this moment of the test's clock, never one that was given before: the clock moves on for it. */
  code(): string;
}

/** A member of staff with a known password and a known second factor. */
export async function addTestStaff(
  service: TestService,
  role: StaffRole = 'reviewer',
  options: { secondFactor?: boolean } = {},
): Promise<TestStaff> {
  const { deps } = service.app;
  const email = `${role}-${randomUUID()}@staff.example`;
  const id = deps.newId('stf');
  await deps.pool`
    insert into staff (id, email, role, password_hash, must_change_password, created_at)
    values (${id}, ${email}, ${role}, ${PASSWORD_HASH}, false, ${service.clock.now()})`;
  const totpSecret = options.secondFactor === false ? undefined : new Secret({ size: 20 }).base32;
  if (totpSecret !== undefined)
    await presetSecondFactor(deps.pool, deps.secrets, email, totpSecret, service.clock.now());
  let given = 0;
  const code = () => {
    assert.ok(totpSecret);
    given += 1;
    if (given > 1) service.clock.advance(30_000);
    return codeAt(totpSecret, service.clock.now());
  };
  return { id, email, password: PASSWORD, role, totpSecret, code };
}

/** Sets up the second factor of an account with a known secret. */
export async function presetSecondFactor(
  pool: Pool,
  secrets: Pick<Secrets, 'staff'>,
  email: string,
  base32: string,
  now: Date,
): Promise<void> {
  const secret = Buffer.from(Secret.fromBase32(base32).bytes);
  const [person] = await pool<{ id: string }[]>`select id from staff where email = ${email}`;
  assert.ok(person);
  await pool`
    update staff set totp_secret = ${sealTotp(secrets.staff, person.id, secret)}, totp_confirmed_at = ${now}
    where id = ${person.id}`;
}

export function codeAt(base32: string, at: Date): string {
  return new TOTP({ secret: Secret.fromBase32(base32) }).generate({ timestamp: at.getTime() });
}

/** A browser without pictures: it keeps cookies, reads the token of a form and sends it along. */
export class FormClient {
  readonly #service: Pick<TestService, 'request'>;
  readonly cookies = new Map<string, string>();

  constructor(service: Pick<TestService, 'request'>) {
    this.#service = service;
  }

  async get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return this.#send(path, { headers: { accept: 'text/html', ...headers } });
  }

  /** Sends a form as it stands on the page at `from`, with the token that stands there. */
  async post(path: string, fields: Record<string, string>, from = path): Promise<Response> {
    const csrf = await this.token(from);
    return this.postRaw(path, { csrf, ...fields });
  }

  async postRaw(
    path: string,
    fields: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    return this.#send(path, {
      method: 'POST',
      headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams(fields).toString(),
    });
  }

  async token(path: string): Promise<string> {
    const text = await (await this.get(path)).text();
    return /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? '';
  }

  async #send(path: string, init: RequestInit): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await this.#service.request(path, {
      redirect: 'manual',
      ...init,
      headers: {
        'accept-language': 'en',
        ...(init.headers as Record<string, string>),
        ...(cookie !== '' && { cookie }),
      },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/Max-Age=0/.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return response;
  }
}

/** Somebody who has signed in, as far as the console. */
export async function signInStaff(
  service: TestService,
  roleOrStaff: StaffRole | TestStaff = 'reviewer',
): Promise<FormClient & { staff: TestStaff }> {
  const staff = typeof roleOrStaff === 'string' ? await addTestStaff(service, roleOrStaff) : roleOrStaff;
  const client = new FormClient(service);
  const { email, password } = staff;
  const response = await client.post('/console/sign-in', { email, password, totp: staff.code() });
  assert.equal(response.status, 303, await response.text());
  return Object.assign(client, { staff });
}

/** Opens the console for somebody who has signed in. The form of the sign-in has tests of its own. */
export async function signInBrowser(page: Page, service: TestService, staff: TestStaff): Promise<void> {
  const { cookies } = await signInStaff(service, staff);
  // Such a cookie comes from an address of https only; a browser sends it to its own machine in any case.
  const url = service.url.replace('http:', 'https:');
  await page.context().addCookies([...cookies].map(([name, value]) => ({ name, value, url })));
  await page.goto(`${service.url}/console`);
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
}

/** Submits a business as an agent does, and gives the id of the submission. */
export async function submitBusiness(
  service: TestService,
  apiKey: string,
  fields: Record<string, unknown> = {},
): Promise<string> {
  const response = await service.request('/api/agent/business', {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      relationship: 'third_party',
      name: 'Warung Senja Kecil',
      vertical: 'restaurant',
      country: 'ID',
      city: 'Bali',
      ...fields,
    }),
  });
  const answer = (await response.json()) as { submission_id?: string };
  assert.equal(response.status, 201, JSON.stringify(answer));
  assert.ok(answer.submission_id);
  return answer.submission_id;
}

/** Audit rows of an account, oldest first. */
export function auditOf(
  pool: Pool,
  subject: string,
): Promise<{ actor: string; operation: string; detail: unknown }[]> {
  return pool<{ actor: string; operation: string; detail: unknown }[]>`
    select actor, operation, detail from audit_log where subject = ${subject} order by sequence`.then(
    (rows) => [...rows],
  );
}
