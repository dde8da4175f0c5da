import { hashToken } from '../../../src/core/secret/token.ts';
import { codeIn } from '../../harness/people/submissions.ts';
import { nameIn, MAP_PLACES } from '../writers/imports.ts';
import type { World } from '../world.ts';
import { byId, finding, repeated, type Finding } from './finding.ts';

/** Agents with their keys, members, submissions with what was decided about them, and the map. */
export async function judgeAccounts(world: World): Promise<Finding[]> {
  return [
    await judgeAgents(world),
    await judgeKeys(world),
    await judgeMembers(world),
    await judgeSubmissions(world),
    await judgeDecisions(world),
    await judgeImports(world),
  ];
}

async function judgeAgents({ pool, acknowledged: { agents } }: World): Promise<Finding> {
  const rows = await pool<{ id: string; email: string; keys: number; audits: number }[]>`
    select id, operator_email as email,
      (select count(*)::int from api_key where agent_id = agent.id and revoked_at is null) as keys,
      (select count(*)::int from audit_log where subject = agent.id and operation = 'sign_up') as audits
    from agent`;
  const stored = byId(rows, ({ email }) => email);
  const lost = [...agents].filter(([email, { agentId }]) => stored.get(email)?.id !== agentId);
  const odd = rows.filter(({ keys, audits }) => keys !== 1 || audits !== 1);
  return finding('sign-ups', agents.size, {
    lost: lost.map(([email]) => email),
    doubled: [
      ...repeated(rows.map(({ email }) => email)),
      ...odd.map(({ email, keys, audits }) => `${email} has ${keys} keys and ${audits} audit rows`),
    ],
  });
}

async function judgeKeys({ pool, acknowledged: { agents } }: World): Promise<Finding> {
  const rows = await pool<{ hash: Buffer; agent_id: string }[]>`
    select hash, agent_id from api_key where agent_id is not null and revoked_at is null`;
  const live = byId(rows, ({ agent_id }) => agent_id);
  const known = [...agents.values()].filter(({ rotated }) => rotated !== 'unknown');
  const lost = known.filter(
    ({ agentId, apiKey }) => live.get(agentId)?.hash.equals(hashToken(apiKey)) !== true,
  );
  const count = [...agents.values()].filter(({ rotated }) => rotated === 'known').length;
  return finding('keys after rotations', count, { lost: lost.map(({ agentId }) => `the key of ${agentId}`) });
}

async function judgeMembers({ pool, smtp, acknowledged: { members } }: World): Promise<Finding> {
  const rows = await pool<{ email: string }[]>`select email from member where display_name is not null`;
  const stored = byId(rows, ({ email }) => email);
  // A letter that was sent again carries the same Message-ID, by which mail systems fold the two.
  const mails = smtp.mails.filter(
    ({ to, text }) => to.join().endsWith('@member.example') && codeIn(text) !== '',
  );
  const letters = new Set(mails.map(({ to, text }) => `${to.join()} ${messageId(text)}`));
  return finding('members and their mails', members.size, {
    lost: [...members].filter((email) => !stored.has(email)),
    doubled: [
      ...repeated(rows.map(({ email }) => email)),
      ...repeated([...letters].map((letter) => letter.split(' ')[0] ?? '')),
    ],
  });
}

export function messageId(mail: string): string {
  return /^Message-ID: *<([^>]+)>/im.exec(mail)?.[1] ?? mail;
}

async function judgeSubmissions({ pool, acknowledged: { submissions } }: World): Promise<Finding> {
  const rows = await pool<{ id: string; agent_id: string; own_ref: string; revision: number }[]>`
    select id, agent_id, own_ref, revision from submission`;
  const stored = byId(rows, ({ id }) => id);
  const lost = [...submissions].filter(([id, { agentId, ownRef, revision }]) => {
    const row = stored.get(id);
    return row?.agent_id !== agentId || row.own_ref !== ownRef || row.revision < revision;
  });
  const more = rows.filter(({ id, revision }) => revision > (submissions.get(id)?.revision ?? revision));
  return finding('submissions and promotions', submissions.size, {
    lost: lost.map(([id]) => id),
    doubled: [
      ...repeated(rows.map(({ own_ref }) => own_ref)),
      ...more.map(({ id, revision }) => `${id} has revision ${revision}`),
    ],
  });
}

/** Each decision is sent to its agent in one callback, which may arrive more than once under the same id. */
async function judgeDecisions({ pool, receiver, acknowledged: { decisions } }: World): Promise<Finding> {
  const rows = await pool<
    { id: string; revision: number; decision: string; told: string[]; states: string[] }[]
  >`
    select d.submission_id as id, d.revision, d.decision,
      (select coalesce(array_agg(c.id), '{}') from callback_delivery c where c.subject_id = d.submission_id) as told,
      (select coalesce(array_agg(c.state), '{}') from callback_delivery c where c.subject_id = d.submission_id) as states
    from submission_decision d`;
  const stored = byId(rows, ({ id }) => id);
  const heard = new Set(
    receiver.received
      .filter(({ path }) => path === '/decided')
      .map(({ headers }) => String(headers['webhook-id'])),
  );
  const lost = [...decisions].filter(([id, decision]) => stored.get(id)?.decision !== decision);
  const unheard = rows.filter(({ told, states }) =>
    told.some((id, at) => states[at] === 'delivered' && !heard.has(id)),
  );
  return finding('decisions and callbacks', decisions.size, {
    lost: [...lost.map(([id]) => id), ...unheard.map(({ id }) => `nobody heard the callback about ${id}`)],
    doubled: [
      ...repeated(rows.map(({ id, revision }) => `${id}/${revision}`)),
      ...rows.filter(({ told }) => told.length > 1).map(({ id }) => `${id} has several callbacks`),
    ],
  });
}

async function judgeImports({ pool, acknowledged: { imported } }: World): Promise<Finding> {
  const rows = await pool<{ ref: string; name: string }[]>`
    select source_ref as ref, name from place where source = 'geojson' and closed_at is null`;
  const names = new Set(rows.map(({ name }) => name));
  const versions = [...new Set([imported.version, imported.begun])].filter((version) => version > 0);
  const lost = Array.from({ length: imported.version === 0 ? 0 : MAP_PLACES }, (_, at) => at + 1).filter(
    (at) => !versions.some((version) => names.has(nameIn(version, at))),
  );
  return finding('imports', imported.version, {
    lost: lost.map((at) => `place ${at} of map ${imported.version}`),
    doubled: repeated(rows.map(({ ref }) => ref)),
  });
}
