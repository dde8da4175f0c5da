import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { prepareDataDir } from '../../core/embedded/data-dir.ts';
import { describeInstallation } from '../../core/installation.ts';
import { aborted } from '../../core/workers/aborted.ts';
import { Balancer, findNginx } from './balancer.ts';
import { ClusterError } from './cluster-error.ts';
import { ClusterNode } from './cluster-node.ts';

const NODE_NAMES = ['node-a', 'node-b', 'node-c'];
const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

interface Printers {
  /** Prints a line for people. */
  say: (line: string) => void;
  /** Prints a line of the log. */
  log: (line: string) => void;
}

interface ClusterDatabase {
  url: string;
  place: string;
  close: () => Promise<void>;
}

/** Runs three nodes on one PostgreSQL behind nginx, on this machine, until it is stopped. */
export async function clusterCommand(
  config: Config,
  nginx: string | undefined,
  print: Printers,
): Promise<void> {
  const program = findNginx(nginx);
  const stop = new AbortController();
  const nodes: ClusterNode[] = [];
  const onSignal = (signal: NodeJS.Signals) => {
    // A second signal ends the nodes at once.
    if (stop.signal.aborted) for (const node of nodes) node.signal(signal);
    stop.abort(signal);
  };
  for (const signal of STOP_SIGNALS) process.on(signal, onSignal);
  const dataDir = await prepareDataDir(config.dataDir);
  const database = await openClusterDatabase(config, print);
  try {
    const { host, port } = config;
    const ports = NODE_NAMES.map((_name, at) => port + 1 + at);
    const balancer = await Balancer.start({ nginx: program, host, port, nodes: ports, print: print.log });
    try {
      for (const [at, name] of NODE_NAMES.entries())
        nodes.push(openNode(name, ports[at] ?? 0, { ...config, dataDir }, database.url, print));
      await runNodes(nodes, { config, balancer, place: database.place, stop: stop.signal, say: print.say });
    } finally {
      const signal = stop.signal.reason === 'SIGTERM' ? 'SIGTERM' : 'SIGINT';
      await Promise.all(nodes.map((node) => node.stop(signal)));
      await balancer.stop();
    }
  } finally {
    await database.close();
    for (const signal of STOP_SIGNALS) process.off(signal, onSignal);
  }
}

/** Opens the database of DATABASE_URL, or the same PostgreSQL in DATA_DIR that `waypost start` runs. */
async function openClusterDatabase(config: Config, { log }: Printers): Promise<ClusterDatabase> {
  const { databaseUrl, dataDir } = config;
  if (databaseUrl !== undefined)
    return { url: databaseUrl, place: describeInstallation(config), close: () => Promise.resolve() };
  const { openEmbeddedPostgres } = await import('../../core/embedded/embedded-postgres.ts');
  const note = (message: string) => log(`[database] ${message}`);
  const embedded = await openEmbeddedPostgres({ dataDir, role: 'service', note });
  return { url: embedded.url, place: `PostgreSQL in ${dataDir}`, close: () => embedded.release() };
}

/** Gives a node the settings that an operator gives it: its own folder and port, and what all nodes share. */
function openNode(
  name: string,
  port: number,
  config: Config,
  databaseUrl: string,
  { say, log }: Printers,
): ClusterNode {
  const { dataDir, baseUrl, photoDir, trustedProxies, logLevel } = config;
  const env = {
    ...process.env,
    HOST: '127.0.0.1',
    PORT: String(port),
    DATA_DIR: join(dataDir, name),
    DATABASE_URL: databaseUrl,
    PHOTO_DIR: photoDir,
    BASE_URL: baseUrl,
    TRUSTED_PROXIES: [...trustedProxies, '127.0.0.1'].join(),
    LOG_LEVEL: logLevel,
  };
  shareMaps(join(dataDir, name), config.mapDir);
  return new ClusterNode({ name, port, env, print: log, announce: say });
}

/** Lets a node show the street maps that the commands build in DATA_DIR. */
function shareMaps(nodeDir: string, mapDir: string): void {
  mkdirSync(nodeDir, { recursive: true });
  mkdirSync(mapDir, { recursive: true });
  try {
    symlinkSync(mapDir, join(nodeDir, 'maps'));
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') throw thrown;
  }
}

interface Surroundings {
  config: Config;
  balancer: Balancer;
  place: string;
  stop: AbortSignal;
  say: (line: string) => void;
}

async function runNodes(nodes: readonly ClusterNode[], around: Surroundings): Promise<void> {
  const { stop, balancer, say } = around;
  const [first, ...others] = nodes;
  // The first node creates the tables, the demonstration and the first account, and prints its password.
  for (const group of [first === undefined ? [] : [first], others]) {
    await Promise.race([Promise.all(group.map(startNode)), aborted(stop)]);
    if (stop.aborted) return;
  }
  say(describeCluster(nodes, around));
  const nodesEnd = Promise.all(nodes.map((node) => node.supervise()));
  const balancerEnds = balancer.ended.then((exit) => {
    if (!stop.aborted) throw new ClusterError(`The balancer ended (${exit}); its reason is above.`);
  });
  await Promise.race([aborted(stop), nodesEnd, balancerEnds]);
}

async function startNode(node: ClusterNode): Promise<void> {
  const exit = await node.start();
  if (exit !== undefined)
    throw new ClusterError(
      `${node.name} ended during its start (${exit}); its reason is above. The nodes use the three ports after PORT.`,
    );
}

function describeCluster(nodes: readonly ClusterNode[], { config, place }: Surroundings): string {
  const [, second] = nodes;
  return [
    `Three nodes run behind one address: ${config.baseUrl}`,
    '',
    ...nodes.map(({ name, url, pid }) => `  ${name}     ${url}   process ${pid}`),
    `  database   ${place}`,
    `  photos     ${config.photoDir}`,
    '',
    `Try it: kill -9 ${second?.pid}, and use the address meanwhile. The node is started again. Ctrl-C ends everything.`,
    '',
  ].join('\n');
}
