import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { verifyLedger } from '../../../src/ledger/verify-ledger.ts';
import { licensedFileOf, previewFileOf } from '../../../src/photos/photo-storage.ts';
import type { World } from '../world.ts';
import { byId, finding, type Finding } from './finding.ts';

/** Photos with their files, payments, licences and the ledger. */
export async function judgeMoney(world: World): Promise<Finding[]> {
  return [await judgePhotos(world), await judgePayments(world), await judgeLicences(world)];
}

interface PhotoRow {
  id: string;
  state: string;
  refusal: string | null;
  priced: boolean;
  drop_number: number;
  checked: boolean;
}

async function judgePhotos({ pool, folder, acknowledged: { photos } }: World): Promise<Finding> {
  const rows = await pool<PhotoRow[]>`
    select id, state, refusal, price_social is not null as priced, drop_number,
      exists (select from photo_check c where c.photo_id = photo.id and c.decision = 'approved') as checked
    from photo`;
  const stored = byId(rows, ({ id }) => id);
  const holds = {
    arrived: ({ state }: PhotoRow) => state !== 'refused',
    approved: ({ checked }: PhotoRow) => checked,
    offered: ({ priced }: PhotoRow) => priced,
    live: ({ drop_number }: PhotoRow) => drop_number > 0,
  };
  const lost = [...photos].flatMap(([id, told]) => {
    const row = stored.get(id);
    if (row === undefined) return [`${id} is not there`];
    if (!holds[told](row)) return [`${id} was ${told}, and is ${row.state} ${row.refusal ?? ''}`];
    const files = [licensedFileOf(id), previewFileOf(id, 480), previewFileOf(id, 1080)];
    const gone = files.filter((key) => !existsSync(join(folder, 'photos', key)));
    return row.state === 'processing' ? [] : gone.map((key) => `${key} is not there`);
  });
  return finding('photos', photos.size, { lost });
}

async function judgePayments({ pool, acknowledged: { payments } }: World): Promise<Finding> {
  const rows = await pool<{ reference: string; agent_id: string; amount_cents: number; paid: number }[]>`
    select p.reference, t.agent_id, p.amount_cents,
      (select coalesce(sum(e.amount_cents), 0)::int from ledger_entry e
       where e.transaction_id = p.transaction_id and e.account_id = 'agent_wallet:' || t.agent_id) as paid
    from topup_payment p join topup t on t.id = p.topup_id`;
  const stored = byId(rows, ({ reference }) => reference);
  const lost = [...payments].filter(([id, { cents }]) => stored.get(id)?.paid !== cents);
  const credited = await pool<{ agent: string; cents: number; payments: number }[]>`
    select substr(e.account_id, 14) as agent, sum(e.amount_cents)::int as cents, count(*)::int as payments
    from ledger_entry e join ledger_transaction t on t.id = e.transaction_id
    where t.kind = 'topup' and e.account_id like 'agent_wallet:%' group by 1`;
  // Each agent of this run pays once.
  const twice = credited.filter(({ payments }) => payments > 1);
  return finding('top-ups', payments.size, {
    lost: lost.map(([id]) => id),
    doubled: twice.map(({ agent, cents }) => `${agent} was credited ${cents}`),
  });
}

async function judgeLicences({ pool, acknowledged: { licences, licenceKeys } }: World): Promise<Finding> {
  const rows = await pool<{ id: string; agent_id: string; photo_id: string; price_cents: number }[]>`
    select id, agent_id, photo_id, price_cents from photo_licence`;
  const stored = byId(rows, ({ id }) => id);
  const lost = [...licences].filter(([id, { agentId, photoId, cents }]) => {
    const row = stored.get(id);
    return row?.agent_id !== agentId || row.photo_id !== photoId || row.price_cents !== cents;
  });
  const { faults } = await verifyLedger(pool);
  const unasked =
    rows.length > licenceKeys.size ? [`${rows.length} licences for ${licenceKeys.size} keys`] : [];
  return finding('licences and the ledger', licences.size, {
    lost: lost.map(([id]) => id),
    doubled: [...faults, ...unasked],
  });
}
