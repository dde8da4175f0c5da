import { appendFileSync } from 'node:fs';
import { mkdir, mkdtemp, open, rm, symlink, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addPartner } from '../../src/accounts/partners/partner.ts';
import { setConnector } from '../../src/bookings/booking-server/venue-connector.ts';
import { Balancer } from '../../src/commands/cluster/balancer.ts';
import { systemClock } from '../../src/core/clock.ts';
import { createNewId } from '../../src/core/ids.ts';
import { connect, type Pool } from '../../src/core/postgres/db.ts';
import { loadSecrets } from '../../src/core/secret/secrets.ts';
import { FickleVenue } from '../bookings/model/fickle-venue.ts';
import { startReceiver, type Receiver } from '../callbacks/receiver.ts';
import { addMadeUpPlace } from '../directory/made-up-place.ts';
import { codeAt, presetSecondFactor, type FormClient } from '../harness/people/staff.ts';
import { TestClock } from '../harness/service/service.ts';
import { freePort } from '../harness/service/program.ts';
import { KilledNode } from '../journeys/killed-node.ts';
import { startSmtp, type SmtpReceiver } from '../messages/smtp-receiver.ts';
import { StripeServer } from '../wallet/stripe-server.ts';
import { Cable } from './cable.ts';
import { Client } from './client.ts';
import { PostgresPair } from './postgres-pair.ts';
import type { PostgresServer } from './postgres-server.ts';
import type { Random } from './random.ts';
import { emptyRecord, type Acknowledged } from './record.ts';
import { mayMount, SmallDisk } from './small-disk.ts';
import { signUp, type ChaosAgent } from './writers/agents.ts';

const MAIL_VENUES = 30;
const SYSTEM_VENUES = 10;
const PHOTO_PLACES = 5;
const FAILS_SHARE = 0.1;
const STAFF = { STAFF_EMAIL: 'lead@staff.example', STAFF_PASSWORD: 'a long password of chaos' };
const TOTP_SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
const LIMITS = {
  BOOKING_WRITES_PER_MINUTE: '100000',
  BOOKING_WRITES_PER_DAY: '100000',
  BOOKING_READS_PER_MINUTE: '100000',
  VENUE_ASKS_PER_DAY: '100000',
  VENUE_OPEN_ASKS: '100000',
  WEBHOOK_CHANGES_PER_HOUR: '100000',
};

/** The nodes, the systems that they talk to, and the acknowledged writes. */
export interface World {
  nodes: KilledNode[];
  pool: Pool;
  client: Client;
  smtp: SmtpReceiver;
  receiver: Receiver;
  stripe: StripeServer;
  venue: FickleVenue;
  staff: FormClient;
  /** The key of the partner that asks for tables. */
  partnerKey: string;
  places: { mail: string[]; system: string[]; photo: string[] };
  folder: string;
  databaseUrl: string;
  /** The network of each node to the servers by their ports, where there are several. */
  cables: readonly ReadonlyMap<number, Cable>[];
  /** Disks of the nodes' own folders, where they may be mounted. */
  disks: readonly SmallDisk[];
  /** Agent that reads. */
  reader: ChaosAgent;
  acknowledged: Acknowledged;
  /** Closes everything; keeps the nodes' logs if a fault must be investigated. */
  close(keepLog: boolean): Promise<void>;
}

export async function openWorld(
  server: PostgresServer | PostgresPair,
  random: Random,
  { nodeCount, nginx }: { nodeCount: number; nginx: string | undefined },
): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), 'waypost-chaos-'));
  const log = await open(join(folder, 'nodes.log'), 'a');
  const smtp = await startSmtp();
  const receiver = await startReceiver();
  const stripe = await StripeServer.open();
  const venue = new FickleVenue();
  const closeVenue = await venue.listen();
  const cables =
    server instanceof PostgresPair
      ? await Promise.all(Array.from({ length: nodeCount }, () => openCables(server.url)))
      : [];
  const urls = Array.from({ length: nodeCount }, (_, at) => cables[at]?.url ?? server.url);
  const { nodes, disks } = await openNodes(urls, folder, log, {
    ...{ ...LIMITS, ...STAFF, ...stripe.settings, SMTP_URL: smtp.url, MAIL_FROM: 'desk@waypost.example' },
    EGRESS_ALLOW: [receiver.pair, venue.pair, new URL(stripe.url).host].join(','),
  });
  for (const node of nodes) await node.start();
  const balancer = nginx === undefined ? undefined : await openBalancer(nginx, nodes, folder);
  const pool = connect(server.url, { max: 5, statementTimeoutMs: 60_000 });
  const client = new Client(balancer === undefined ? nodes : [balancer], random.fork());
  failNowAndThen(receiver, random.fork());
  const places = await addPlaces(pool, venue);
  const partnerKey = await addAskingPartner(pool);
  await presetSecondFactor(pool, await loadSecrets(pool), STAFF.STAFF_EMAIL, TOTP_SECRET, new Date());
  await client.tool(partnerKey, 'set_webhook', { url: `${receiver.url}/moves` });
  const acknowledged = emptyRecord();
  const reader = await signUp({ client, acknowledged });
  await pool`update agent set plan = 'scale' where id = ${reader.agentId}`;
  return {
    ...{ nodes, disks, pool, client, smtp, receiver, stripe, venue, partnerKey, places, folder },
    ...{ reader, acknowledged, cables: cables.map(({ byPort }) => byPort) },
    databaseUrl: server.url,
    staff: await signIn(client),
    close: async (keepLog) => {
      await Promise.all(nodes.map((node) => node.stop('SIGKILL')));
      await balancer?.stop();
      await pool.end({ timeout: 1 });
      closeVenue();
      await log.close();
      for (const cable of cables.flatMap(({ byPort }) => [...byPort.values()])) cable.close();
      for (const disk of disks) disk.unmount();
      for (const { dataDir } of nodes) await rm(dataDir, { recursive: true, force: true });
      if (!keepLog) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Gives a node a network of its own to each server that a URL names. */
async function openCables(url: string): Promise<{ url: string; byPort: Map<number, Cable> }> {
  const byPort = new Map<number, Cable>();
  let own = url;
  for (const [address, port = ''] of url.matchAll(/127\.0\.0\.1:(\d+)/g)) {
    const cable = await Cable.to(Number(port));
    byPort.set(Number(port), cable);
    own = own.replace(address, `127.0.0.1:${cable.port}`);
  }
  return { url: own, byPort };
}

/** Nodes keep their photos in one folder, as nodes on several machines must. */
async function openNodes(
  databaseUrls: readonly string[],
  folder: string,
  log: FileHandle,
  settings: Record<string, string>,
): Promise<{ nodes: KilledNode[]; disks: SmallDisk[] }> {
  const photos = join(folder, 'photos');
  await mkdir(photos);
  const all = {
    ...{ TRUSTED_PROXIES: '127.0.0.1', VENUE_WAKING_HOURS: '00:00-23:59', LOG_LEVEL: 'warn' },
    ...{ PHOTO_DIR: photos, DESK_PHONE: '+62361999999', SIGNUPS_PER_HOUR: '100000', ...settings },
  };
  const nodes = databaseUrls.map((databaseUrl) => new KilledNode(databaseUrl, all, log.fd));
  const disks = mayMount() ? nodes.map(({ dataDir }) => new SmallDisk(dataDir)) : [];
  for (const { dataDir } of nodes) await symlink(photos, join(dataDir, 'photos'));
  return { nodes, disks };
}

/** Starts nginx before the nodes, with the configuration of the runbook. */
async function openBalancer(nginx: string, nodes: readonly KilledNode[], folder: string) {
  const host = '127.0.0.1';
  const port = await freePort();
  const print = (line: string) => {
    appendFileSync(join(folder, 'nodes.log'), `${line}\n`);
  };
  const ports = nodes.map(({ url }) => Number(new URL(url).port));
  const balancer = await Balancer.start({ nginx, host, port, nodes: ports, print });
  return { url: `http://${host}:${port}`, stop: () => balancer.stop() };
}

/** The receiver of webhooks and callbacks refuses some of them at first. */
function failNowAndThen(receiver: Receiver, random: Random): void {
  receiver.answer = (response) => {
    if (random.chance(FAILS_SHARE)) response.writeHead(500).end();
    else response.end();
  };
}

async function addPlaces(pool: Pool, venue: FickleVenue): Promise<World['places']> {
  const clock = new TestClock();
  const add = (count: number, name: string) =>
    Promise.all(
      Array.from({ length: count }, (_, at) => addMadeUpPlace(pool, clock, { name: `${name} ${at}` })),
    );
  const places = {
    mail: await add(MAIL_VENUES, 'Warung Surat'),
    system: await add(SYSTEM_VENUES, 'Warung Sistem'),
    photo: await add(PHOTO_PLACES, 'Warung Foto'),
  };
  for (const [at, id] of places.mail.entries())
    await pool`
      update place set booking_method = 'request', email = ${`v${at}@venue.example`}, batch_minutes = 0,
        languages = '{en}' where id = ${id}`;
  const { connector } = await loadSecrets(pool);
  for (const id of places.system) {
    await pool`
      update place set booking_method = 'venue_system', booking_url = 'https://book.venue.example/' where id = ${id}`;
    await setConnector(pool, { key: connector, now: new Date() }, id, {
      ...{ baseUrl: venue.url, merchantId: id, serviceId: 's-1', username: 'waypost', password: 'secret' },
      ...{ durationSec: 5400, acceptsDeskContact: true, enabled: true },
    });
  }
  return places;
}

async function addAskingPartner(pool: Pool): Promise<string> {
  const newId = createNewId(systemClock);
  const person = { email: 'chaos@partner.example', name: 'Chaos Partner' };
  const { partnerId, apiKey } = await addPartner(pool, newId, new Date(), 'svc', person);
  await pool`
    update partner set bookings_enabled = true, bookings_reason = 'chaos', bookings_at = now(),
      bookings_by = (select id from staff limit 1), email_verified_at = now(), plan = 'platform'
    where id = ${partnerId}`;
  return apiKey;
}

async function signIn(client: Client): Promise<FormClient> {
  const staff = client.browser();
  const { STAFF_EMAIL: email, STAFF_PASSWORD: password } = STAFF;
  const totp = codeAt(TOTP_SECRET, new Date());
  const response = await staff.post('/console/sign-in', { email, password, totp });
  if (response.status !== 303) throw new Error(`Staff cannot sign in: ${await response.text()}`);
  return staff;
}
