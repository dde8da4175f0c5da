import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { appendEntry } from '../../../src/bookings/timeline.ts';
import { FormClient } from './staff.ts';
import type { TestService } from '../service/service.ts';
import { codeIn, lastMessage } from './submissions.ts';
import { HOUR_MS } from '../../../src/core/time.ts';

export interface TestMember extends FormClient {
  memberId: string;
  email: string;
  displayName: string;
}

/** Asks for a code and gives the address on which it is entered, with the code that was mailed. */
export async function askMemberCode(
  service: TestService,
  client: FormClient,
  email: string,
): Promise<{ attempt: string; code: string }> {
  const asked = await client.post('/member/sign-in/email', { email }, '/member/sign-in');
  assert.equal(asked.status, 303, await asked.text());
  const attempt = /attempt=(msi_\w+)/.exec(asked.headers.get('location') ?? '')?.[1] ?? '';
  const message = await lastMessage(service, 'member_code', email);
  assert.ok(message);
  return { attempt, code: codeIn(message.text) };
}

/** Somebody who joined as people do: mailbox, code, name. */
export async function joinMember(service: TestService, displayName = 'Ana P.'): Promise<TestMember> {
  const client = new FormClient(service);
  const email = `member-${randomUUID()}@member.example`;
  const { attempt, code } = await askMemberCode(service, client, email);
  const fields = { attempt, code };
  const entered = await client.post('/member/sign-in/code', fields, `/member/sign-in?attempt=${attempt}`);
  assert.equal(entered.status, 303, await entered.text());
  const named = await client.post('/member/sign-in/name', { display_name: displayName }, '/member/sign-in');
  assert.equal(named.headers.get('location'), '/member');
  const [row] = await service.database.pool<{ id: string }[]>`select id from member where email = ${email}`;
  assert.ok(row);
  return Object.assign(client, { memberId: row.id, email, displayName });
}

interface MadeTable {
  member: Pick<TestMember, 'memberId' | 'displayName'>;
  placeId: string;
  partnerId: string;
  status?: 'asking' | 'confirmed' | 'declined';
  /** How long ago the table was; negative for one that is still to come. */
  agoMs?: number;
}

/** A booking in a member's name with the timeline that led to where it stands; nothing of it is still at work. */
export async function makeTable(service: TestService, made: MadeTable): Promise<string> {
  const { member, placeId, partnerId, status = 'confirmed', agoMs = HOUR_MS } = made;
  const at = new Date(service.clock.now().getTime() - agoMs);
  const id = service.app.deps.newId('bkg');
  const { memberId, displayName } = member;
  const way = ['sent', 'asking', ...(status === 'asking' ? [] : [status])] as const;
  await service.database.pool.begin(async (sql) => {
    await sql`
      insert into booking (id, partner_id, place_id, status, last_sequence, date, time, party_size, timezone, table_at,
        for_type, member_id, guest_name, notes, channel, created_at, updated_at)
      values (${id}, ${partnerId}, ${placeId}, 'sent', 1, ${at.toISOString().slice(0, 10)},
        ${at.toISOString().slice(11, 16)}, 2, 'UTC', ${at}, 'member', ${memberId}, ${displayName},
        ${`A birthday of ${displayName}`}, 'mail', ${at}, ${at})`;
    for (const [i, to] of way.entries()) {
      const confirmed = to === 'confirmed';
      await sql`
        update booking set status = ${to}, last_sequence = ${i + 1}, confirmed_at = ${confirmed ? at : null},
          confirmed_by = ${confirmed ? 'venue' : null} where id = ${id}`;
      await appendEntry(sql, id, {
        sequence: i + 1,
        at,
        event: to,
        from: way[i - 1] ?? null,
        to,
        actor: i === 0 ? 'partner' : i === 1 ? 'service' : 'venue',
        channel: null,
        revision: 1,
        text: 'Made for a test.',
      });
    }
  });
  return id;
}
