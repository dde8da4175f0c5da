import { execFileSync } from 'node:child_process';
import { createServer } from 'node:https';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';

export interface HttpsServer {
  /** host:port, as EGRESS_ALLOW names it. */
  pair: string;
  url: string;
}

/** The reason to skip tests that need a certificate, or false. */
export const noCertificates: string | false = hasOpenssl() ? false : 'no openssl on this machine';

function hasOpenssl(): boolean {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** A real https server on loopback, whose fresh certificate this process trusts from now on. */
export async function startHttpsServer(answer: RequestListener): Promise<HttpsServer> {
  const made = execFileSync(
    'openssl',
    [
      ...[
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:prime256v1',
        '-nodes',
        '-days',
        '3650',
      ],
      ...[
        '-subj',
        '/CN=waypost tests',
        '-addext',
        'subjectAltName=IP:127.0.0.1',
        '-keyout',
        '-',
        '-out',
        '-',
      ],
    ],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  ).toString();
  const [cert = ''] = /-----BEGIN CERTIFICATE-----[^]*-----END CERTIFICATE-----/.exec(made) ?? [];
  const [key = ''] = /-----BEGIN PRIVATE KEY-----[^]*-----END PRIVATE KEY-----/.exec(made) ?? [];
  setDefaultCACertificates([...getCACertificates('default'), cert]);
  const server = createServer({ cert, key }, answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  const pair = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { pair, url: `https://${pair}` };
}
