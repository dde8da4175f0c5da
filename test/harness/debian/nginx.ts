import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { CHECKOUT, freePort } from '../service/program.ts';

/** Starts nginx on loopback before these nodes, with what the runbook says, and gives its address. */
export async function startNginx(nginx: string, ports: readonly number[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'waypost-nginx-'));
  const port = await freePort();
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, configuration(folder, port, ports));
  const server = spawn(nginx, ['-c', file, '-p', folder, '-e', join(folder, 'error.log')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise((resolve) => server.once('close', resolve));
  after(async () => {
    server.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  return `http://127.0.0.1:${port}`;
}

/** The two parts of docs/operations.md, around them only what every nginx needs, and the nodes where they are. */
function configuration(folder: string, port: number, ports: readonly number[]): string {
  const runbook = readFileSync(join(CHECKOUT, 'docs/operations.md'), 'utf8');
  const upstream = part(runbook, /^upstream waypost \{[^}]*\}/m);
  const location = part(runbook, /^ *location \/ \{[^}]*\}/m);
  const nodes = [...ports];
  const here = upstream.replaceAll(/server \S+?:\d+/g, () => `server 127.0.0.1:${nodes.shift() ?? 0}`);
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return `
    daemon off;
    worker_processes 2;
    pid ${folder}/nginx.pid;
    events { worker_connections 512; }
    http {
      access_log off;
      ${folders.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n')}
      ${here}
      server {
        listen 127.0.0.1:${port};
        ${location}
      }
    }`;
}

function part(runbook: string, pattern: RegExp): string {
  const [found] = pattern.exec(runbook) ?? [];
  if (found === undefined) throw new Error(`docs/operations.md has no ${pattern.source} for nginx.`);
  return found;
}
