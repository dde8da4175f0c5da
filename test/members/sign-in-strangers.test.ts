import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { sendSignInCode, type SignInKind } from '../../src/accounts/sign-in/sign-in-code.ts';
import { addressGroup } from '../../src/core/text/address-group.ts';
import { HOUR_MS } from '../../src/core/time.ts';
import { FormClient } from '../harness/people/staff.ts';
import { codeIn, lastMessage } from '../harness/people/submissions.ts';
import { startTestService } from '../harness/service/service.ts';

const service = await startTestService({ settings: { TRUSTED_PROXIES: '127.0.0.1' } });

/** Both kinds of people who sign in by a mailed code, and where they do. */
const DOORS = [
  ['member', '/member/sign-in'],
  ['operator', '/oauth/connections'],
] as const;

/** A browser somewhere, in front of a page on which people sign in by mail. */
class Visitor {
  readonly client = new FormClient(service);
  readonly #path: string;
  readonly #headers: Record<string, string>;
  #csrf: string | undefined;

  constructor(path: string, address: string) {
    this.#path = path;
    this.#headers = { 'x-forwarded-for': address };
  }

  /** Asks for a code; gives the name of the attempt, or nothing when it was refused. */
  async ask(email: string): Promise<string | undefined> {
    const answer = await this.#post('/email', { email });
    assert.ok(answer.status === 303 || answer.status === 429, await answer.text());
    return /attempt=(\w+)/.exec(answer.headers.get('location') ?? '')?.[1];
  }

  enter(attempt: string, code: string): Promise<Response> {
    return this.#post('/code', { attempt, code });
  }

  async #post(ending: string, fields: Record<string, string>): Promise<Response> {
    this.#csrf ??= await this.client.token(this.#path);
    return this.client.postRaw(this.#path + ending, { csrf: this.#csrf, ...fields }, this.#headers);
  }
}

/** One of a crowd, each with a browser of their own, asks for a code without looking at a page. */
async function askInCrowd(kind: SignInKind, address: string, email: string): Promise<boolean> {
  const { deps } = service.app;
  const sent = await deps.pool.begin((tx) =>
    sendSignInCode(tx, { deps, now: service.clock.now(), newId: deps.newId }, kind, {
      email,
      address: addressGroup(address),
      browser: randomBytes(32),
      purpose: 'to see whether it works',
    }),
  );
  return sent.outcome === 'sent';
}

async function mailed(kind: string, email: string): Promise<{ code: string; text: string }> {
  const { text } = (await lastMessage(service, `${kind}_code`, email)) ?? { text: '' };
  return { code: codeIn(text), text };
}

for (const [kind, path] of DOORS) {
  test(`a code for the ${kind} works only in the browser that asked for it, and the mail says so`, async () => {
    const email = `browser@${kind}.example`;
    const person = new Visitor(path, '198.51.100.1');
    const attempt = (await person.ask(email)) ?? '';
    const { code, text } = await mailed(kind, email);
    assert.match(text, /Somebody asked for it to sign in to .* with your address/);
    assert.match(text, /It works once, for 10 minutes, and only in the browser that asked for it\./);
    const thief = new Visitor(path, '198.51.100.1');
    const page = await thief.client.get(`${path}?attempt=${attempt}`);
    assert.doesNotMatch(await page.text(), new RegExp(email), 'the mailbox is not told to others');
    const refused = await thief.enter(attempt, code);
    assert.equal(refused.status, 422);
    assert.match(await refused.text(), /another browser requested it/);
    assert.equal((await person.enter(attempt, code)).status, 303);
  });

  test(`a stranger who asks for codes of a ${kind} and mistypes them shuts nobody else out`, async () => {
    const email = `wanted@${kind}.example`;
    const person = new Visitor(path, '198.51.100.1');
    const attempt = (await person.ask(email)) ?? '';
    const { code } = await mailed(kind, email);
    const stranger = new Visitor(path, '203.0.113.1');
    for (let asked = 0; asked < 11; asked++) {
      const theirs = await stranger.ask(email);
      for (let tries = 0; theirs !== undefined && tries < 5; tries++)
        assert.equal((await stranger.enter(theirs, 'wrong')).status, 422);
    }
    assert.equal(await stranger.ask(email), undefined, 'the stranger gets no more');
    assert.equal((await person.enter(attempt, code)).status, 303, 'the code from before works');
    const elsewhere = new Visitor(path, '192.0.2.77');
    const fresh = await elsewhere.ask(email);
    assert.ok(fresh !== undefined, 'and a new one can be had');
    assert.equal((await elsewhere.enter(fresh, (await mailed(kind, email)).code)).status, 303);
  });

  test(`codes that many ask for at the mailbox of a ${kind} become too long to guess, and have an end but where one was entered before`, async () => {
    const email = `besieged@${kind}.example`;
    const person = new Visitor(path, '198.51.100.40');
    const attempt = (await person.ask(email)) ?? '';
    const lengths = [(await mailed(kind, email)).code.length];
    assert.equal((await person.enter(attempt, (await mailed(kind, email)).code)).status, 303);
    for (let asked = 1; asked < 60; asked++) {
      const address = `203.0.113.${100 + asked}`;
      // The last with a code of each length do it on the page.
      const onPage = [9, 10, 59].includes(asked);
      assert.ok(await (onPage ? new Visitor(path, address).ask(email) : askInCrowd(kind, address, email)));
      lengths.push((await mailed(kind, email)).code.replaceAll(' ', '').length);
    }
    assert.deepEqual(lengths, [...Array<number>(10).fill(6), ...Array<number>(50).fill(12)]);
    assert.equal(await new Visitor(path, '192.0.2.1').ask(email), undefined);
    const back = new Visitor(path, '198.51.100.40');
    const again = (await back.ask(email)) ?? '';
    assert.equal((await back.enter(again, (await mailed(kind, email)).code)).status, 303);
  });

  test(`one address that asks without end for codes of a ${kind} uses up nothing but its own`, async () => {
    const email = `pressed@${kind}.example`;
    // An address has thirty in an hour, for whatever mailboxes.
    for (let hour = 0; hour < 3; hour++) {
      await new Visitor(path, '203.0.113.2').ask(email);
      for (let asked = 1; asked < 30; asked++) await askInCrowd(kind, '203.0.113.2', email);
      service.clock.advance(HOUR_MS);
    }
    assert.ok(await new Visitor(path, '192.0.2.1').ask(email));
  });
}
