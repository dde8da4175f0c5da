import { Agent, request, type IncomingHttpHeaders } from 'node:http';
import { PATIENCE_MS } from '../harness/patience.ts';

/** One request as it goes onto the wire. Headers are a list, so that one can stand twice. */
export interface HttpRequest {
  method: string;
  target: string;
  headers: readonly (readonly [name: string, value: string])[];
  body?: Buffer | undefined;
}

export interface HttpAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** No answer takes so long, on any machine: what does is a hang. */

/** Sends requests over connections that stay open. */
export class Wire {
  readonly #port: number;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 64 });

  constructor(url: string) {
    this.#port = Number(new URL(url).port);
  }

  send({ method, target, headers, body }: HttpRequest): Promise<HttpAnswer> {
    return new Promise((resolve, reject) => {
      const length: [string, string][] = body === undefined ? [] : [['Content-Length', String(body.length)]];
      const sent = request(
        {
          host: '127.0.0.1',
          port: this.#port,
          agent: this.#agent,
          method,
          path: target,
          headers: [...headers, ...length].flat(),
        },
        (answer) => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => chunks.push(chunk));
          answer.on('error', reject);
          answer.on('end', () => {
            const text = Buffer.concat(chunks).toString('utf8');
            resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text });
          });
        },
      );
      sent.setTimeout(PATIENCE_MS, () => sent.destroy(new Error(`No answer came within ${PATIENCE_MS} ms.`)));
      sent.on('error', reject);
      sent.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** A request in the form in which a person repeats it. */
export function requestWords({ method, target, headers, body }: HttpRequest): string {
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  const text = body === undefined ? '' : `\n\n${body.toString('utf8').slice(0, 1500)}`;
  return `${method} ${target}\n${lines.join('\n')}${text}`;
}
