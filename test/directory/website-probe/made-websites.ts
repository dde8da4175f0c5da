import { stepOf } from '../../harness/service/jobs.ts';
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import type { Resolve } from '../../../src/core/egress/egress-target.ts';
import { closureBeliefOf } from '../../../src/directory/hours/place-open.ts';
import { findPlace } from '../../../src/directory/place/place.ts';
import { WebsiteProbes, type ProbeOptions } from '../../../src/directory/website-probe/probe-websites.ts';
import { startTestService } from '../../harness/service/service.ts';
import { addMadeUpPlace } from '../made-up-place.ts';

export const service = await startTestService();
export const { clock } = service;
export const { pool } = service.database;

interface Asked {
  method: string;
  host: string;
  userAgent: string;
}
/** The response of each host to a method: a status, or a function that hangs up. */
type Answer = (request: IncomingMessage) => number | Promise<number>;
export const hosts = new Map<string, Answer>();
/** Requests to the server below, and the maximum of concurrent ones. */
export const traffic = { asked: [] as Asked[], inFlight: 0, most: 0 };

const server = createServer((request, response) => {
  const host = (request.headers.host ?? '').replace(/:\d+$/, '');
  traffic.asked.push({ method: request.method ?? '', host, userAgent: request.headers['user-agent'] ?? '' });
  traffic.most = Math.max(traffic.most, ++traffic.inFlight);
  response.on('close', () => traffic.inFlight--);
  void Promise.resolve(hosts.get(host)?.(request) ?? 404).then((status) => response.writeHead(status).end());
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
export const { port } = server.address() as AddressInfo;
after(() => {
  server.closeAllConnections();
  server.close();
});

/** Names of this file lead to the server above; any other does not exist. */
export const resolve: Resolve = (host) =>
  hosts.has(host)
    ? Promise.resolve([{ address: '127.0.0.1', family: 4 }])
    : Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }));

export function options(more: Partial<ProbeOptions> = {}): Partial<ProbeOptions> {
  const intervals = { aliveMs: 0, failedMs: 0, deadMs: 0, unclearMs: 0 };
  return {
    egress: { allow: [...hosts.keys()].map((host) => `${host}:${port}`), resolve },
    intervals,
    ...more,
  };
}

/** One round of a node that has just started. */
export async function round(more: Partial<ProbeOptions> = {}) {
  traffic.asked = [];
  return new WebsiteProbes({ ...service.app.deps, ...stepOf(service) }, options(more)).round(
    new AbortController().signal,
  );
}

export async function addVenue(
  host: string,
  answer: Answer | undefined,
  path = '/',
  inside = pool,
): Promise<string> {
  if (answer !== undefined) hosts.set(host, answer);
  return addMadeUpPlace(inside, clock, { website: `http://${host}:${port}${path}` });
}

export async function beliefOf(placeId: string) {
  const place = await findPlace(pool, placeId);
  assert.ok(place);
  return closureBeliefOf(place);
}

export async function probeOf(placeId: string) {
  const [row] = await pool<
    { failures: number; last_result: string | null; last_detail: string | null; next_probe_at: Date }[]
  >`
    select failures, last_result, last_detail, next_probe_at from website_probe where place_id = ${placeId}`;
  return row;
}

/** Every test has the directory to itself, with one venue whose website always answers. */
export async function onlyOneHealthyVenue(inside = pool): Promise<string> {
  await inside`delete from place`;
  hosts.clear();
  return addVenue('healthy.venue', () => 200, '/', inside);
}
