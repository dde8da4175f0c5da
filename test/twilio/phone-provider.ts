import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import { twilioSignature } from '../../src/twilio/twilio-signature.ts';
import type { TestService } from '../harness/service/service.ts';
import { BASE_URL } from '../harness/service/service.ts';

export interface Taken {
  resource: 'Messages' | 'Calls';
  sid: string;
  authorization: string | undefined;
  form: URLSearchParams;
}

export interface PhoneProvider {
  settings: Record<string, string>;
  taken: Taken[];
  /** Takes over an answer; true when it did. */
  instead: (response: ServerResponse) => boolean;
  texts(to: string): URLSearchParams[];
  calls(to: string): Taken[];
  /** Calls one of our addresses as the provider does: a signed form. */
  post(
    service: TestService,
    url: string,
    fields: Record<string, string>,
    signature?: string,
  ): Promise<{ status: number; text: string }>;
}

const ACCOUNT = 'AC00000000000000000000000000000001';
const TOKEN = 'token-of-the-provider';

/** A provider of texts and calls in the shape of Twilio's REST interface: a real server on loopback. */
export async function startPhoneProvider(): Promise<PhoneProvider> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const [, account, resource] =
        /^\/2010-04-01\/Accounts\/(\w+)\/(Messages|Calls)\.json$/.exec(request.url ?? '') ?? [];
      if (account !== ACCOUNT || request.method !== 'POST') return void response.writeHead(404).end();
      const form = new URLSearchParams(Buffer.concat(chunks).toString());
      const sid = `${resource === 'Calls' ? 'CA' : 'SM'}${String(provider.taken.length + 1).padStart(32, '0')}`;
      const { authorization } = request.headers;
      provider.taken.push({ resource: resource as Taken['resource'], sid, authorization, form });
      if (provider.instead(response)) return;
      response
        .writeHead(201, { 'content-type': 'application/json' })
        .end(JSON.stringify({ sid, status: 'queued', to: form.get('To') }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  const pair = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider: PhoneProvider = {
    settings: {
      TWILIO_URL: `http://${pair}`,
      TWILIO_ACCOUNT: ACCOUNT,
      TWILIO_TOKEN: TOKEN,
      TWILIO_FROM: '+62361000000',
      EGRESS_ALLOW: pair,
    },
    taken: [],
    instead: () => false,
    texts: (to) =>
      provider.taken
        .filter(({ resource, form }) => resource === 'Messages' && form.get('To') === to)
        .map(({ form }) => form),
    calls: (to) =>
      provider.taken.filter(({ resource, form }) => resource === 'Calls' && form.get('To') === to),
    post: async (service, url, fields, signature) => {
      const form = new URLSearchParams(fields);
      const response = await service.request(url.replace(BASE_URL, ''), {
        method: 'POST',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          'x-twilio-signature': signature ?? twilioSignature(TOKEN, url, form),
        },
        body: form.toString(),
      });
      return { status: response.status, text: await response.text() };
    },
  };
  return provider;
}
