import { holds, holdsPrice } from './holds.ts';
import type { MakeTask } from '../task.ts';
import type { Caller, World } from '../world/world.ts';

async function licences({ sql }: World, { id }: Caller) {
  const rows = await sql<{ id: string; use: string; price_cents: number; slug: string }[]>`
    select l.id, l.use, l.price_cents, d.slug from photo_licence l join photo h on h.id = l.photo_id
    join place p on p.id = h.place_id join destination d on d.id = p.destination_id where l.agent_id = ${id}`;
  return rows;
}

const FIND = { do: 'search licensable photos', with: ['where', 'use', 'budget'] } as const;
const QUOTE = { do: 'quote the price and terms of a photo', with: ['use'], find: ['price'] } as const;

/** Agents find photos and license them. */
export const agentPhotos: readonly MakeTask[] = [
  async (world) => {
    const agent = await world.agent();
    return {
      name: 'what a photo costs and allows',
      surface: 'agent',
      ask: 'What would a photo of {where} for {use} cost us, and what may we do with it?',
      said: { where: 'Lisbon', use: 'web' },
      steps: [FIND, QUOTE],
      headers: agent.headers,
      solved: async ({ seen }) => {
        const [id] = /pho_[0-9a-z]{26}/.exec(seen) ?? [];
        const [photo] = await world.sql<{ price_web: number; slug: string }[]>`
          select h.price_web, d.slug from photo h join place p on p.id = h.place_id
          join destination d on d.id = p.destination_id where h.id = ${id ?? ''}`;
        return photo?.slug === 'lisbon' && holdsPrice(seen, photo.price_web) && holds(seen, 'website');
      },
    };
  },
  async (world) => {
    const agent = await world.agent(4_000);
    return {
      name: 'license a photo',
      surface: 'agent',
      ask: 'License a photo of {where} for {use} use, for {budget} dollars at most, and give me the file.',
      said: { where: 'Bangkok', use: 'web', budget: 40 },
      steps: [FIND, { do: 'license one photo from the wallet', with: ['use', 'budget'], find: ['link'] }],
      headers: agent.headers,
      solved: async ({ answer }) => {
        const [licence, second] = await licences(world, agent);
        if (licence === undefined || second !== undefined) return false;
        return licence.use === 'web' && licence.slug === 'bangkok' && /https?:\/\/\S+/.test(answer);
      },
    };
  },
  async (world) => {
    const agent = await world.agent(4_000);
    return {
      name: 'license a photo with quoted numbers and blanks',
      surface: 'agent',
      ask: 'Buy a picture from {where} for one {use} post, up to {budget} dollars.',
      said: { where: 'Rome', use: 'social', budget: 30 },
      steps: [FIND, { do: 'license one photo from the wallet', with: ['use', 'budget'], find: ['link'] }],
      habits: { quoted: true, unknown: 'empty', names: { where: 'location' } },
      headers: agent.headers,
      solved: async ({ answer }) => {
        const [licence, second] = await licences(world, agent);
        if (licence === undefined || second !== undefined) return false;
        return licence.use === 'social' && licence.slug === 'rome' && /https?:\/\/\S+/.test(answer);
      },
    };
  },
  async (world) => {
    const agent = await world.agent(4_000);
    return {
      name: 'a photo that costs more than allowed',
      surface: 'agent',
      ask: 'License a photo of {where} as an {use}, but pay {budget} dollar at most. If it costs more, tell me how much.',
      said: { where: 'Tokyo', use: 'ad', budget: 1 },
      steps: [
        { do: 'search licensable photos', with: ['where', 'use'] },
        { do: 'license one photo from the wallet', with: ['use', 'budget'], find: ['price'] },
      ],
      headers: agent.headers,
      solved: async ({ answer }) => {
        const [photo] = await world.sql<{ price_ad: number }[]>`
          select h.price_ad from photo h join place p on p.id = h.place_id
          join destination d on d.id = p.destination_id where d.slug = 'tokyo' and h.state = 'live'`;
        return (await licences(world, agent)).length === 0 && holdsPrice(answer, photo?.price_ad ?? -1);
      },
    };
  },
  async (world) => {
    const agent = await world.agent(2_750);
    return {
      name: 'what is left in the wallet',
      surface: 'agent',
      ask: 'How much credit do we have left for photos, and how much may we still spend today?',
      said: {},
      steps: [{ do: 'wallet balance and spend of today against the cap', find: ['balance'] }],
      headers: agent.headers,
      solved: ({ answer }) => holdsPrice(answer, 2_750) && holdsPrice(answer, 5_000),
    };
  },
];
