import type { Exchange } from '../perform/exchange.ts';
import type { World } from '../world/world.ts';
import { fault, type Fault } from './fault.ts';

const ID = /\b(?:agt|bkg|lic|mem|off|ocl|pay|prm|ptn|qte|sub|top)_[0-9a-hjkmnp-tv-z]{26}\b/g;
const PRIVATE = /zq(guest|note|reason|mail)([a-z])[a-z]*/gi;
const KEY = /\bsvc_(?:live|partner)_[0-9A-Za-z]{36}\b|\bwhsec_[A-Za-z0-9+/=_-]{20,}/g;
const SESSION = /_(?:staff|venue|member|operator|partner)$/;
const MAILBOX = /(?<![\w.+-])[\w.+-]{1,64}@(?:member|partner|operator|staff|mail)\.example/g;

/** Finds ids, mailboxes, names and keys of other accounts in an answer. */
export async function foreignWords(world: World, exchange: Exchange, where: string): Promise<Fault[]> {
  const { answer, caller } = exchange;
  const { text } = answer;
  const faults = secretFaults(world, exchange, where);
  const letter = world.letterOf(caller);
  if (letter === undefined) return faults;
  const sent = `${exchange.request.target} ${exchange.request.body?.toString() ?? ''}`;
  const suspects = new Map<string, string>();
  for (const [id] of text.matchAll(ID)) suspect(id, world.values.ownerOf(id));
  if (text.includes('.example'))
    for (const [mailbox] of text.matchAll(MAILBOX))
      suspect(mailbox, world.values.ownerOf(mailbox.toLowerCase()));
  for (const [word, , owner = ''] of text.matchAll(PRIVATE)) suspect(word, owner.toLowerCase());
  for (const [word, owner] of suspects)
    if (!(await mayBeSeen(world, exchange, word)))
      faults.push(
        fault(
          `a word of ${word.slice(0, 6)}… that is another's`,
          where,
          `${word} of ${owner} shown to ${caller.role} ${letter}`,
        ),
      );
  return faults;

  function suspect(word: string, owner: string | undefined): void {
    if (owner !== undefined && owner !== letter && !sent.includes(word)) suspects.set(word, owner);
  }
}

/** Keys are shown once, in the answer that makes them; sessions and tokens never. */
function secretFaults(world: World, { answer, caller, request }: Exchange, where: string): Fault[] {
  const faults: Fault[] = [];
  // Without a mail server a lead opens a message to pass it on, whatever it holds.
  if (caller.role === 'lead' && request.target.startsWith('/console/outbox/msg_')) return faults;
  // A request repeated under its key gets the stored answer.
  if (answer.headers['idempotent-replayed'] === 'true') return faults;
  for (const [key] of answer.text.matchAll(KEY))
    if (world.values.secrets.has(key))
      faults.push(fault('a key that was shown before', where, `${key.slice(0, 16)}… to ${caller.role}`));
  for (const [name, value] of caller.cookies)
    if (SESSION.test(name) && answer.text.includes(value))
      faults.push(fault('a cookie in an answer', where, ''));
  return faults;
}

/** A foreign value may still be public, or shown to the people concerned. */
async function mayBeSeen(world: World, { caller, request }: Exchange, word: string): Promise<boolean> {
  const { pool } = world.service.database;
  // The link in a message to a venue opens the request that it is about.
  if (request.target.startsWith('/v/')) return true;
  if (word.startsWith('sub_')) {
    const [row] = await pool`select 1 from submission where id = ${word} and status = 'approved'`;
    return row !== undefined;
  }
  // A photographer sees every sale.
  if (word.startsWith('lic_') && caller.memberId !== undefined) {
    const [row] = await pool`
      select 1 from photo_licence l join photo p on p.id = l.photo_id
      where l.id = ${word} and p.member_id = ${caller.memberId}`;
    return row !== undefined;
  }
  if (caller.placeId === undefined && caller.memberId === undefined) return false;
  const [row] = await pool`
    select 1 from booking where (place_id = ${caller.placeId ?? ''} or member_id = ${caller.memberId ?? ''})
      and (id = ${word} or guest_name ilike ${`%${word}%`} or notes ilike ${`%${word}%`})`;
  return row !== undefined;
}
