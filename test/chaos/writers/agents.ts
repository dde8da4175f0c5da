import type { Random } from '../random.ts';
import type { World } from '../world.ts';

let serial = 0;

export interface ChaosAgent {
  agentId: string;
  apiKey: string;
}

/** Signs an agent up, once and for all, however often that has to be asked for. */
export async function signUp({
  client,
  acknowledged,
}: Pick<World, 'client' | 'acknowledged'>): Promise<ChaosAgent> {
  const email = `agent-${++serial}@operator.example`;
  const address = { 'x-forwarded-for': client.address() };
  const fields = {
    agent_name: 'Chaos Agent',
    operator_name: 'Operator',
    operator_email: email,
    purpose: 'Writes while nodes are killed.',
  };
  const { status, body, text } = await client.write('/api/agent/signup', fields, address);
  if (status !== 201) throw new Error(`No sign-up: ${status} ${text}`);
  const agent = { agentId: String(body['agent_id']), apiKey: String(body['api_key']) };
  acknowledged.agents.set(email, { ...agent, rotated: 'never' });
  return agent;
}

/** A new agent submits businesses, changes one, and submits a promotion of one. */
export async function submitSome(world: World, random: Random): Promise<void> {
  const agent = await signUp(world);
  const count = random.between(1, 4);
  for (let at = 0; at < count; at++) {
    const ownRef = `ref-${++serial}`;
    const business = {
      ...{ relationship: 'third_party', external_ref: ownRef, name: `Kedai ${ownRef} Uluwatu` },
      ...{ country: 'ID', city: 'Bali', callback_url: `${world.receiver.url}/decided` },
    };
    const id = await submit(world, agent, '/api/agent/business', business, ownRef);
    if (random.chance(0.3))
      await submit(world, agent, '/api/agent/business', { ...business, address: 'Jalan Pantai 7' }, ownRef);
    if (random.chance(0.4)) await submitPromo(world, agent, id);
  }
}

async function submitPromo(world: World, agent: ChaosAgent, business: string): Promise<void> {
  const ownRef = `promo-${++serial}`;
  const promo = {
    ...{ submission_id: business, promo_ref: ownRef, title: 'Sunset plate for two', kind: 'special' },
    ...{ ends_at: '2030-12-31T16:00:00Z', discount_pct: 15 },
  };
  await submit(world, agent, '/api/agent/promo', promo, ownRef);
}

async function submit(
  { client, acknowledged }: World,
  { agentId, apiKey }: ChaosAgent,
  path: string,
  fields: Record<string, unknown>,
  ownRef: string,
): Promise<string> {
  const authorization = `Bearer ${apiKey}`;
  const { status, body, text } = await client.write(path, fields, { authorization });
  if (status !== 201) throw new Error(`No submission: ${status} ${text}`);
  const id = String(body['promo_id'] ?? body['submission_id']);
  acknowledged.submissions.set(id, { agentId, ownRef, revision: Number(body['revision']) });
  return id;
}

/** A reviewer decides about some of what waits. Whether an answer that was lost meant yes, nobody knows. */
export async function review({ staff, acknowledged }: World, random: Random): Promise<void> {
  const waiting = [...acknowledged.submissions].filter(([id]) => !acknowledged.decisions.has(id)).slice(-20);
  const [id, { revision } = { revision: 1 }] = random.pick(waiting) ?? [];
  if (id === undefined) return;
  const decision = random.chance(0.7) ? 'approved' : 'rejected';
  const fields = {
    ...{ decision, revision: String(revision), place_id: id.startsWith('sub_') ? 'new' : '' },
    ...{ reason_code: decision === 'rejected' ? 'not_a_real_place' : '', reason_text: '', fix_hint: '' },
  };
  const { status } = await staff.post(`/console/review/${id}`, fields);
  if (status === 303) acknowledged.decisions.set(id, decision);
}

/** An agent makes its key anew, again and again, until an answer is lost and its key with it. */
export async function rotate(world: World, random: Random): Promise<void> {
  const { client, acknowledged } = world;
  const { apiKey: first } = await signUp(world);
  const own = [...acknowledged.agents.values()].find(({ apiKey }) => apiKey === first);
  if (own === undefined) return;
  const rounds = random.between(1, 5);
  for (let at = 0; at < rounds; at++) {
    own.rotated = 'unknown';
    const { status, text } = await client.send('/api/agent/me/rotate', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${own.apiKey}` },
      body: '{}',
    });
    if (status !== 200) throw new Error(`No rotation: ${status} ${text}`);
    own.apiKey = (JSON.parse(text) as { api_key: string }).api_key;
    own.rotated = 'known';
  }
}

/** The partner makes the secret of its webhook anew, or sends itself a test. */
export async function changeWebhook(
  { client, partnerKey, acknowledged }: World,
  random: Random,
): Promise<void> {
  const change = random.chance(0.5) ? { rotate_secret: true } : { send_test: true };
  const told = await client.tool(partnerKey, 'set_webhook', change);
  if (typeof told?.['secret'] === 'string') acknowledged.secrets++;
}
