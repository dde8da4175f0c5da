import { randomUUID } from 'node:crypto';
import { holds } from './holds.ts';
import type { MakeTask } from '../task.ts';
import { next } from '../world/venues.ts';
import type { Caller, World } from '../world/world.ts';

/** The newest revision of an agent's submission. */
async function handedIn({ sql }: World, { id }: Caller, kind: 'business' | 'promo') {
  const rows = await sql<{ id: string; revision: number; content: Record<string, unknown> }[]>`
    select s.id, s.revision, r.content from submission s
    join submission_revision r on r.submission_id = s.id and r.revision = s.revision
    where s.agent_id = ${id} and s.kind = ${kind} order by s.created_at`;
  return rows;
}

const oneAgent = async ({ sql }: World, email: string) =>
  (await sql`select 1 from agent where operator_email = ${email}`).length === 1;

const SUBMIT = { do: 'submit a business profile, create it', find: ['id', 'status'] } as const;

/** Agents sign up and hand in businesses and promotions. */
export const agentListing: readonly MakeTask[] = [
  (world) => {
    const email = `${randomUUID()}@operator.example`;
    return {
      name: 'sign up',
      surface: 'agent',
      byWeb: true,
      ask: 'Sign up at this service as the agent {agent} of {operator}, {email}. What it does: {purpose}',
      said: {
        agent: 'Table Scout',
        operator: 'Costa Travel',
        email,
        purpose: 'It answers questions of travellers about dinner.',
      },
      steps: [{ do: 'sign up the agent, get an api key', find: ['id'] }],
      headers: {},
      solved: async ({ answer }) => /svc_live_\w{36}/.test(answer) && (await oneAgent(world, email)),
    };
  },
  (world) => {
    const email = `${randomUUID()}@operator.example`;
    return {
      name: 'sign up with other names and empty fields',
      surface: 'agent',
      byWeb: true,
      ask: 'Sign up as {agent} for {operator} ({email}). Purpose: {purpose}',
      said: {
        agent: 'Night Guide',
        operator: 'Ribeira Lda',
        email,
        purpose: 'Finds bars for visitors at night.',
      },
      steps: [{ do: 'sign up the agent, get an api key', find: ['id'] }],
      habits: { names: { agent: 'name', email: 'email' }, unknown: 'empty' },
      headers: {},
      solved: async ({ answer }) => /svc_live_\w{36}/.test(answer) && (await oneAgent(world, email)),
    };
  },
  async (world) => {
    const agent = await world.agent();
    return {
      name: 'list a business',
      surface: 'agent',
      ask: 'List our {kind} {name} in {where}, {country}. We are the {relationship}. Our phone is {phone}, our site {website}.',
      said: {
        kind: 'restaurant',
        name: 'Tasca do Cais Velho',
        where: 'Lisbon',
        country: 'Portugal',
        relationship: 'owner',
        phone: '+351213456789',
        website: 'https://tasca-cais.example',
      },
      steps: [SUBMIT],
      headers: agent.headers,
      solved: async ({ answer }) => {
        const [row] = await handedIn(world, agent, 'business');
        return (
          row?.content['name'] === 'Tasca do Cais Velho' &&
          row.content['country'] === 'PT' &&
          row.content['phone'] === '+351213456789' &&
          holds(answer, row.id)
        );
      },
    };
  },
  async (world) => {
    const agent = await world.agent();
    return {
      name: 'list a business with a local number and blanks',
      surface: 'agent',
      ask: 'Please add {name}, a {kind} in {where}, {country}. No relation to us ({relationship}). Phone {phone}. Open {hours}.',
      said: {
        kind: 'cafe',
        name: 'Ca Phe Bo Song',
        where: 'Hoi An',
        country: 'Viet Nam',
        relationship: 'third_party',
        phone: '0235 391 0489',
        hours: 'Mon-Fri 7am-5pm; Sat 8:00-14:00; Sun closed',
      },
      steps: [SUBMIT],
      habits: { unknown: 'empty' },
      headers: agent.headers,
      solved: async ({ answer }) => {
        const [row] = await handedIn(world, agent, 'business');
        return (
          row?.content['name'] === 'Ca Phe Bo Song' &&
          row.content['country'] === 'VN' &&
          (row.content['phone'] ?? null) === null &&
          holds(answer, row.id)
        );
      },
    };
  },
  async (world) => {
    const agent = await world.agent();
    const fields = {
      relationship: 'owner',
      name: 'Bar Miradouro Azul',
      country: 'PT',
      city: 'Lisbon',
      vertical: 'bar',
    };
    await world.business(agent, { ...fields, external_ref: 'azul-1' });
    return {
      name: 'change one field of a listing',
      surface: 'agent',
      ask: 'Change the description of our listing with the reference {ref} to: {description}',
      said: { ref: 'azul-1', description: 'A small bar with a view over the river.' },
      steps: [{ do: 'submit a business profile, update it', find: ['id', 'status'] }],
      headers: agent.headers,
      solved: async () => {
        const [row, second] = await handedIn(world, agent, 'business');
        return (
          second === undefined &&
          row?.revision === 2 &&
          row.content['name'] === 'Bar Miradouro Azul' &&
          row.content['description'] === 'A small bar with a view over the river.'
        );
      },
    };
  },
  async (world) => {
    const agent = await world.agent();
    const fields = { relationship: 'owner', name: 'Warung Tepi Sawah Hijau', country: 'ID', city: 'Bali' };
    await world.business(agent, { ...fields, external_ref: 'sawah' });
    const until = `${next(6)}T20:00:00Z`;
    return {
      name: 'post a promotion',
      surface: 'agent',
      ask: 'Post a {kind} for our business {ref}: {title}, {discount} percent off until {until}.',
      said: { kind: 'special', ref: 'sawah', title: 'Harvest lunch', discount: 20, until },
      steps: [{ do: 'submit a promotion, special, event or ad for a business', find: ['id', 'status'] }],
      habits: { quoted: true, unknown: 'empty' },
      headers: agent.headers,
      solved: async ({ answer }) => {
        const [row] = await handedIn(world, agent, 'promo');
        return (
          row?.content['title'] === 'Harvest lunch' &&
          row.content['discount_pct'] === 20 &&
          row.content['kind'] === 'special' &&
          holds(answer, row.id)
        );
      },
    };
  },
  async (world) => {
    const agent = await world.agent();
    const id = await world.business(agent, {
      relationship: 'owner',
      name: 'Osteria del Vicolo Corto',
      country: 'IT',
      city: 'Rome',
    });
    return {
      name: 'a promotion for the only business, found by its name',
      surface: 'agent',
      ask: 'Announce an {kind} at our {name}: {title}. Details: {detail}',
      said: {
        kind: 'event',
        name: 'Osteria del Vicolo Corto',
        title: 'Truffle evening',
        detail: 'Five courses with white truffle.',
      },
      steps: [
        { do: 'list submissions of the agent', with: [] },
        { do: 'submit a promotion, special, event or ad for a business', find: ['id', 'status'] },
      ],
      habits: { names: { detail: 'description' } },
      headers: agent.headers,
      solved: async () => {
        const row = (await handedIn(world, agent, 'promo')).at(-1);
        const [business] = await world.sql<{ business_id: string }[]>`
          select business_id from submission where agent_id = ${agent.id} and kind = 'promo'`;
        return (
          business?.business_id === id &&
          row?.content['kind'] === 'event' &&
          row.content['detail'] === 'Five courses with white truffle.'
        );
      },
    };
  },
  async (world) => {
    const agent = await world.agent();
    const fields = { relationship: 'owner', country: 'PT', city: 'Lisbon' };
    await world.business(agent, { ...fields, name: 'Casa da Esquina Nova' });
    const rejected = await world.business(agent, { ...fields, name: 'Adega do Poço Fundo' });
    const why = 'The telephone number belongs to somebody else.';
    await world.reject(rejected, why);
    return {
      name: 'why a listing was turned down',
      surface: 'agent',
      ask: 'Which of our submissions were {status}, and why?',
      said: { status: 'rejected' },
      steps: [{ do: 'list submissions and where each stands', find: ['reason'] }],
      habits: { unknown: 'null' },
      headers: agent.headers,
      solved: ({ answer }) =>
        holds(answer, 'Adega do Poço Fundo', why) && !holds(answer, 'Casa da Esquina Nova'),
    };
  },
];
