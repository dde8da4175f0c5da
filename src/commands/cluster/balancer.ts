import { spawn, type ChildProcess } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { exitOf, printLines, type Exit } from './child-output.ts';
import { ClusterError } from './cluster-error.ts';

/** Package managers put nginx where the PATH of ordinary users does not lead. */
const FOLDERS = ['/usr/sbin', '/usr/local/sbin', '/usr/local/bin', '/opt/homebrew/bin'];
const CONFIGURATION = join(import.meta.dirname, '../../../deploy/nginx.conf');
/** The nodes of deploy/nginx.conf, with the settings that each one gets. */
const NODES = /^( *)server node-a:3000(.*;)\n *server node-b:3000.*;$/m;
const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
const LOOK_AGAIN_MS = 50;

interface BalancerOptions {
  nginx: string;
  host: string;
  port: number;
  /** Ports of the nodes on this machine. */
  nodes: readonly number[];
  print: (line: string) => void;
}

/** Returns the path of nginx, or throws an error that says how to install it. */
export function findNginx(path: string | undefined): string {
  const candidates =
    path === undefined
      ? [...(process.env['PATH'] ?? '').split(delimiter), ...FOLDERS].map((folder) => join(folder, 'nginx'))
      : [path];
  const nginx = candidates.find(canRun);
  if (nginx !== undefined) return nginx;
  throw new ClusterError(
    `nginx, the balancer before the nodes, was not found${path === undefined ? '' : ` at ${path}`}. Install it (Debian and Ubuntu: apt-get install nginx; ` +
      'macOS: brew install nginx), or name it with --nginx PATH. A package may start a server of its own on port 80; it is not needed here.',
  );
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Returns deploy/nginx.conf for nodes on this machine, with all files of nginx in one folder. */
export function balancerConfiguration(
  { host, port, nodes }: Pick<BalancerOptions, 'host' | 'port' | 'nodes'>,
  folder: string,
): string {
  const temporary = TEMPORARY.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ');
  const text = readFileSync(CONFIGURATION, 'utf8')
    .replace(NODES, (_lines, indent: string, rest: string) =>
      nodes.map((node) => `${indent}server 127.0.0.1:${node}${rest}`).join('\n'),
    )
    .replace('listen 80;', `listen ${host.includes(':') ? `[${host}]` : host}:${port};`)
    .replace('http {', `http { access_log off; ${temporary}`);
  return `daemon off; pid ${folder}/nginx.pid; error_log stderr warn;\n${text}`;
}

/** nginx before the nodes of a cluster on this machine. */
export class Balancer {
  readonly #child: ChildProcess;
  readonly ended: Promise<Exit>;

  private constructor(child: ChildProcess, ended: Promise<Exit>) {
    this.#child = child;
    this.ended = ended;
  }

  /** Starts nginx and waits until it accepts connections. */
  static async start(options: BalancerOptions): Promise<Balancer> {
    const folder = mkdtempSync(join(tmpdir(), 'waypost-balancer-'));
    // The workers of an nginx that root starts run as another user.
    chmodSync(folder, 0o755);
    const file = join(folder, 'nginx.conf');
    writeFileSync(file, balancerConfiguration(options, folder));
    const child = spawn(options.nginx, ['-c', file, '-p', folder, '-e', 'stderr'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    printLines(child.stderr, (line) => options.print(`[balancer] ${line}`));
    const ended = exitOf(child).finally(() => {
      rmSync(folder, { recursive: true, force: true });
    });
    const balancer = new Balancer(child, ended);
    let exit: Exit | undefined;
    void ended.then((how) => (exit = how));
    // nginx writes its pid once it listens; a port that is in use ends it.
    while (exit === undefined && !existsSync(join(folder, 'nginx.pid'))) await pause(LOOK_AGAIN_MS);
    if (exit !== undefined)
      throw new ClusterError(
        `nginx cannot listen on port ${options.port}; its own words are above. Set PORT to a free one.`,
      );
    return balancer;
  }

  async stop(): Promise<void> {
    this.#child.kill('SIGTERM');
    await this.ended;
  }
}
