import { openSession, type SessionName } from '../../../src/accounts/sign-in/session.ts';
import {
  openStaffSession as openStaffSession,
  sessionCookie,
} from '../../../src/accounts/sign-in/staff-session.ts';
import type { StaffRole } from '../../../src/accounts/staff/staff.ts';
import { OauthClient } from '../../harness/clients/oauth-client.ts';
import { Person, type OauthService } from '../../harness/clients/oauth.ts';
import { addTestPartner } from '../../harness/people/partner.ts';
import { addTestStaff } from '../../harness/people/staff.ts';
import { signUpAgent } from '../../harness/service/service.ts';
import { addMadeMember, addMadePhoto, fillWallet } from '../../licensing/made-photo.ts';
import { keepCookies, type Caller, type Role } from './caller.ts';
import type { KnownValues } from './known-values.ts';

const WALLET_CENTS = 40_000;
let mailboxes = 0;

/** Makes callers, and makes them anew when what they did has ended their credentials. */
const CONNECT_TRIES = 5;

export class CallerMaker {
  readonly #service: OauthService;
  readonly #values: KnownValues;
  readonly #placeIds: readonly string[];

  constructor(service: OauthService, values: KnownValues, placeIds: readonly string[]) {
    this.#service = service;
    this.#values = values;
    this.#placeIds = placeIds;
  }

  /** A caller of a role with new credentials. */
  async make(role: Role, letter: string): Promise<Caller> {
    const caller: Caller = {
      role,
      letter,
      credentials: [],
      cookies: new Map(),
      email: `zqmail${letter}${letters(mailboxes++)}@mail.example`,
      ended: false,
    };
    await this.#give(caller);
    this.#values.addMailbox(caller.email, letter);
    for (const value of caller.cookies.values()) this.#values.addSecret(value, letter);
    for (const [, value] of caller.credentials) this.#values.addSecret(value.replace(/^Bearer /, ''), letter);
    return caller;
  }

  async #give(caller: Caller): Promise<void> {
    switch (caller.role) {
      case 'anonymous':
        return;
      case 'stranger':
        caller.credentials = [
          ['Authorization', `Bearer svc_live_${'0'.repeat(36)}`],
          ['X-Partner-Key', `svc_partner_${'0'.repeat(36)}`],
        ];
        return;
      case 'agent':
        return this.#agent(caller);
      case 'oauth client':
        return this.#oauthClient(caller);
      case 'partner':
        return this.#partner(caller);
      case 'member':
      case 'photographer':
        return this.#member(caller);
      case 'venue':
        return this.#venue(caller);
      case 'operator':
        await signUpAgent(this.#service, caller.email);
        return this.#open(caller, 'operator', caller.email);
      case 'partner person':
        return this.#open(caller, 'partner', (await addTestPartner(this.#service)).partnerId);
      default:
        return this.#staff(caller, caller.role);
    }
  }

  async #agent(caller: Caller): Promise<void> {
    const { pool } = this.#service.app.deps;
    const { agentId, apiKey } = await signUpAgent(this.#service, caller.email);
    await pool`update agent set plan = 'scale' where id = ${agentId}`;
    await fillWallet(pool, this.#service.clock, agentId, WALLET_CENTS);
    caller.credentials = [['Authorization', `Bearer ${apiKey}`]];
    this.#values.add('agt', agentId, caller.letter);
  }

  async #oauthClient(caller: Caller): Promise<void> {
    const { client, tokens } = await this.#connect(caller.email);
    caller.credentials = [['Authorization', `Bearer ${tokens.access_token}`]];
    await this.#service.database.pool`
      update agent set plan = 'scale' where operator_email = ${caller.email}`;
    this.#values.addSecret(tokens.refresh_token, caller.letter);
    this.#values.add('ocl', client.client.client_id, caller.letter);
    this.#values.add('refresh_token', tokens.refresh_token, caller.letter);
  }

  /** Time passes by minutes here, also between the two steps of a sign-in, which have one. */
  async #connect(email: string) {
    for (let tries = 1; ; tries++)
      try {
        const client = await OauthClient.register(this.#service);
        return { client, tokens: await client.connect(new Person(this.#service, email)) };
      } catch (thrown) {
        if (tries === CONNECT_TRIES) throw thrown;
      }
  }

  async #partner(caller: Caller): Promise<void> {
    const { partnerId, headers, email } = await addTestPartner(this.#service, { plan: 'platform' });
    await this.#service.database.pool`
      update partner set bookings_enabled = true, bookings_reason = 'for the fuzzer', bookings_at = now(),
        bookings_by = ${(await addTestStaff(this.#service, 'lead')).id}
      where id = ${partnerId}`;
    caller.credentials = Object.entries(headers).map(([, value]) => ['X-Partner-Key', value] as const);
    caller.email = email;
    this.#values.add('ptn', partnerId, caller.letter);
  }

  async #member(caller: Caller): Promise<void> {
    const { pool } = this.#service.database;
    const memberId = await addMadeMember(pool, this.#service.clock);
    caller.memberId = memberId;
    caller.email = `${memberId}@member.example`;
    await this.#open(caller, 'member', memberId);
    this.#values.add('mem', memberId, caller.letter);
    if (caller.role === 'member') return;
    for (const state of ['live', 'live', 'to_check'] as const) {
      const placeId = this.#placeIds[0] ?? '';
      const made = { memberId, placeId, state, cap: 50 };
      const photoId = await addMadePhoto(pool, this.#service.clock, made);
      // Only what a person uploaded waits for a check.
      if (state === 'to_check') await pool`update photo set generated = false where id = ${photoId}`;
      this.#values.add('pho', photoId, caller.letter);
    }
  }

  async #venue(caller: Caller): Promise<void> {
    const placeId = this.#placeIds[caller.letter.charCodeAt(0) % this.#placeIds.length] ?? '';
    await this.#service.database.pool`
      insert into venue_claim (place_id, channel, contact, claimed_at)
      values (${placeId}, 'mail', ${caller.email}, ${this.#service.clock.now()}) on conflict do nothing`;
    caller.placeId = placeId;
    await this.#open(caller, 'venue', placeId);
  }

  async #open(caller: Caller, name: SessionName, who: string): Promise<void> {
    const { deps } = this.#service.app;
    keepCookies(caller, [await openSession({ deps, db: deps.pool, now: deps.clock.now() }, name, who)]);
  }

  async #staff(caller: Caller, role: StaffRole): Promise<void> {
    const { deps } = this.#service.app;
    const { id, email } = await addTestStaff(this.#service, role);
    const origin = { address: '192.0.2.1', userAgent: 'Fuzzer/1.0' };
    const session = { staffId: id, offer: undefined, now: deps.clock.now(), ...origin };
    caller.email = email;
    keepCookies(caller, [sessionCookie(deps, await openStaffSession(deps.pool, session))]);
  }
}

/** A number in letters: 0 is a, 26 is ba. No digit may stand in a name, or it would count as a telephone number. */
export function letters(nth: number): string {
  const last = String.fromCharCode(97 + (nth % 26));
  return nth < 26 ? last : letters(Math.floor(nth / 26)) + last;
}
