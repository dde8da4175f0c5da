import { forgetSignInsOf } from '../../accounts/sign-in/sign-in-code.ts';
import { HOUSE_PARTNER } from '../../accounts/partners/house-partner.ts';
import { eraseGuests, lockErasing } from '../../bookings/maintenance/erase-guests.ts';
import type { Db } from '../../core/postgres/db.ts';
import { lockWallet } from '../../ledger/wallet-balance.ts';
import { forgetMember } from '../../members/forget-member.ts';
import { PrivacyError, type Person } from './person.ts';

interface At {
  now: Date;
  serviceName: string;
}

/** A mailbox at a domain that no mail reaches. */
const erasedMailbox = (id: string) => `${id}@erased.invalid`;

/** Erases what identifies a person. Returns what is kept, with the reason. */
export async function erasePerson(tx: Db, person: Person, at: At): Promise<string[]> {
  const kept = await ERASERS[person.kind](tx, person as never, at);
  // Those under way are finished first, and deleted with the list of sent messages.
  const [left] = await tx<{ messages: number }[]>`
    with gone as (delete from message where recipient = ${person.contact} and state not in ('queued', 'sending'))
    select count(*)::int as messages from message where recipient = ${person.contact} and state in ('queued', 'sending')`;
  if ((left?.messages ?? 0) > 0)
    kept.push(`${left?.messages ?? 0} messages that are being sent; run the command again in an hour.`);
  return kept;
}

type Account = Extract<Person, { id: string }>;

async function eraseMember(tx: Db, { id, contact }: Account, at: At): Promise<string[]> {
  await forgetMember(tx, { id, email: contact, displayName: '' }, at);
  return ['Tables, ratings and sold licences, without a name.', 'Ledger and audit entries, by id.'];
}

async function eraseOperator(tx: Db, { id, contact }: Account, { now }: At): Promise<string[]> {
  await tx`select from agent where id = ${id} for update`;
  const { money } = await lockWallet(tx, id);
  if (money > 0)
    throw new PrivacyError(
      `The wallet of this operator holds ${(money / 100).toFixed(2)} USD. Pay it back first (/console/agents).`,
    );
  await tx`delete from operator_session where email = ${contact}`;
  await forgetSignInsOf(tx, 'operator', contact);
  await tx`delete from review_account where agent_id = ${id}`;
  await tx`delete from recovery_link where agent_id = ${id}`;
  await tx`delete from oauth_grant where agent_id = ${id}`;
  await tx`delete from api_key where agent_id = ${id}`;
  await tx`
    update callback_delivery set data = null, url = '', last_error = null, leased_until = null,
      state = case state when 'pending' then 'given_up' else state end, finished_at = coalesce(finished_at, ${now})
    where agent_id = ${id}`;
  await tx`delete from idempotency_key where subject = ${id}`;
  await tx`
    update agent set agent_name = 'Erased agent', operator_name = 'Erased operator',
      operator_email = ${erasedMailbox(id)}, homepage = null, purpose = 'Erased on request.', status = 'revoked'
    where id = ${id}`;
  return [
    'Submissions with the names under which they were made: the attribution of published data is permanent.',
    'Payments, licences, ledger and audit entries, by id.',
  ];
}

async function erasePartner(tx: Db, { id, contact }: Account, { now }: At): Promise<string[]> {
  if (id === HOUSE_PARTNER) throw new PrivacyError('This account belongs to the service itself.');
  await tx`select from partner where id = ${id} for update`;
  await lockErasing(tx);
  const bookings = await tx<{ id: string; is_open: boolean }[]>`
    select id, status in ('sent', 'asking', 'offered') or (status = 'confirmed' and table_at > ${now}) as is_open
    from booking where partner_id = ${id} order by id for update`;
  const open = bookings.filter(({ is_open }) => is_open).length;
  if (open > 0)
    throw new PrivacyError(
      `This partner has ${open} open or coming tables. Wait for them, or have the partner cancel them.`,
    );
  await eraseGuests(
    tx,
    bookings.map((booking) => booking.id),
    now,
  );
  await tx`delete from partner_session where partner_id = ${id}`;
  await tx`delete from partner_link where partner_id = ${id}`;
  await tx`delete from oauth_grant where partner_id = ${id}`;
  await tx`delete from api_key where partner_id = ${id}`;
  await tx`delete from member_link where partner_id = ${id}`;
  await tx`delete from webhook_endpoint where partner_id = ${id}`;
  await tx`update webhook_delivery set data = null where partner_id = ${id} and state <> 'pending'`;
  await tx`delete from partner_application where partner_id = ${id}`;
  await tx`delete from partner_call where partner_id = ${id}`;
  await tx`delete from review_account where email = ${contact}`;
  await tx`delete from idempotency_key where subject = ${id}`;
  await tx`
    update partner set email = ${erasedMailbox(id)}, name = 'Erased partner', company = null, website = null,
      use_case = null, status = 'revoked', bookings_enabled = false, bookings_reason = null
    where id = ${id}`;
  return ['Past tables, without names and notes.', 'Usage, payments and audit entries, by id.'];
}

async function eraseVenueContact(tx: Db, { contact }: Person): Promise<string[]> {
  await tx`delete from claim_code where contact = ${contact}`;
  const claims = await tx`delete from venue_claim where contact = ${contact} returning place_id`;
  await tx`delete from vouched_contact where contact = ${contact}`;
  await tx`update business_confirmation set contact = null, channel = null where contact = ${contact}`;
  const shown = await tx<{ id: string; name: string }[]>`
    select id, name from place where email = ${contact} or phone = ${contact} order by id limit 20`;
  return [
    ...(claims.length > 0 ? [`${claims.length} listings, which nobody has claimed any more.`] : []),
    ...shown.map(
      ({ id, name }) =>
        `The published contact of ${name} (${id}): correct it on /console/places, and in the map that it comes from.`,
    ),
  ];
}

const ERASERS = {
  member: eraseMember,
  operator: eraseOperator,
  partner: erasePartner,
  venue: eraseVenueContact,
};
