import assert from 'node:assert/strict';
import { rpc } from '../../harness/clients/mcp.ts';
import { PARTNER_MCP, roomyKey } from '../../harness/people/partner.ts';
import { SubmittingAgent } from '../../harness/people/submissions.ts';
import type { TestService } from '../../harness/service/service.ts';
import type { AskingPartner } from '../../bookings/asking-partner.ts';

interface Asked {
  service: TestService;
  /** A partner whose bookings are switched on. */
  partner: AskingPartner;
  placeId: string;
  /** Words by which somebody would look for the place. */
  names: readonly string[];
  destination?: string;
}

/** The answer of each surface about one place, by the name of the surface. Status and body are one text. */
export async function everySurface(asked: Asked): Promise<Map<string, string>> {
  const { service, partner, placeId, names, destination = 'bali' } = asked;
  // An agent of its own, so that no quota ends the reading.
  const agent = await SubmittingAgent.signUp(service);
  await service.app.deps.places.follow();
  const answers = new Map<string, string>();
  const page = async (path: string, headers: Record<string, string> = {}) => {
    const response = await service.request(path, { headers });
    const text = await response.text();
    answers.set(path, `${response.status} ${text}`);
    return text;
  };
  const tool = async (
    path: string,
    name: string,
    input: Record<string, unknown>,
    headers: Record<string, string>,
  ) => {
    const message = { id: 1, method: 'tools/call', params: { name, arguments: input } };
    const { status, body } = await rpc(service, path, message, headers);
    answers.set(`${path} ${name} ${JSON.stringify(input)}`, `${status} ${JSON.stringify(body)}`);
  };
  const near = { lat: -8.65, lng: 115.13, radius_m: 50_000 };

  for (const q of names) {
    await page(`/api/agent/search?q=${encodeURIComponent(q)}`, agent.authorization);
    await tool('/mcp', 'svc_search_places', { q }, agent.authorization);
  }
  for (const path of [
    `/api/agent/business/${placeId}`,
    '/api/agent/search?city=bali&limit=50',
    '/api/agent/closures',
    '/api/agent/photos/search?city=bali',
  ])
    await page(path, agent.authorization);
  await tool('/mcp', 'svc_get_place', { place_id: placeId }, agent.authorization);
  await tool('/mcp', 'svc_search_photos', { city: 'bali' }, agent.authorization);

  const key = await roomyKey(service);
  for (const query of names) await tool(PARTNER_MCP, 'search_places', { destination, query }, key);
  await tool(PARTNER_MCP, 'search_places', { destination, near, limit: 50 }, key);
  await tool(PARTNER_MCP, 'open_places', { destination }, key);
  await tool(PARTNER_MCP, 'directory_feed', { destination, include_removed: true }, key);
  await tool(PARTNER_MCP, 'concierge_answer', { destination, question: `What is ${names[0] ?? ''}?` }, key);
  for (const name of ['place_details', 'booking_link', 'get_menu', 'get_reviews'])
    await tool(PARTNER_MCP, name, { place_id: placeId }, key);

  const table = { place_id: placeId, date: '2026-11-20', time: '19:30', party_size: 2 };
  const { headers } = partner.partner;
  await tool('/api/concierge/mcp', 'check_availability', table, headers);
  await tool(
    '/api/concierge/mcp',
    'request_table',
    { ...table, guest_name: 'Guest Example', dry_run: true },
    headers,
  );

  const html = { accept: 'text/html' };
  for (const path of [
    `/p/${placeId}`,
    `/d/${destination}`,
    ...names.map((name) => `/d/${destination}?q=${encodeURIComponent(name)}`),
    `/venue/claim/${placeId}`,
    '/',
    '/closures',
    '/closures.atom',
  ])
    await page(path, html);
  const sitemaps = await page('/sitemap.xml');
  for (const [, url = ''] of sitemaps.matchAll(/<loc>([^<]+)<\/loc>/g))
    if (url.endsWith('.xml')) await page(new URL(url).pathname);
  return answers;
}

/** Fails where any surface shows one of these texts. What the caller itself asked for is not an answer. */
export function assertNowhere(answers: ReadonlyMap<string, string>, texts: readonly string[]): void {
  const shown = [...answers].flatMap(([surface, answer]) =>
    texts.filter((text) => answer.includes(text)).map((text) => `${surface} shows "${text}"`),
  );
  assert.deepEqual(shown, []);
}

/** The answer of a surface whose name begins like this. */
export function answerOf(answers: ReadonlyMap<string, string>, surface: string): string {
  const found = [...answers].find(([name]) => name.startsWith(surface));
  assert.ok(found, `${surface} was asked`);
  return found[1];
}
