import assert from 'node:assert/strict';
import { createServer, type AddressInfo } from 'node:net';
import { startTestService, type TestService } from '../service/service.ts';
import { codeIn, lastMessage } from '../people/submissions.ts';

export interface OauthService extends TestService {
  /** The address of the service as it knows it itself, which is where it listens. */
  baseUrl: string;
}

/**
 * A service whose BASE_URL is where it really listens, because clients of OAuth follow the addresses that it names.
 * Partners have a host of their own, which nobody can reach, unless it is to be the same.
 */
export async function startOauthService({
  oneHost,
  ...options
}: Parameters<typeof startTestService>[0] & { oneHost?: true } = {}): Promise<OauthService> {
  const port = String(await freePort());
  const baseUrl = options.settings?.['BASE_URL'] ?? `http://127.0.0.1:${port}`;
  const settings = {
    REGISTRATIONS_PER_HOUR: '100',
    ...options.settings,
    PORT: port,
    BASE_URL: baseUrl,
    ...(oneHost && { PARTNER_URL: baseUrl }),
  };
  return Object.assign(await startTestService({ ...options, settings }), { baseUrl });
}

/** A port that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A person with a browser of few abilities: it keeps cookies, follows redirects and sends forms. */
export class Person {
  readonly email: string;
  #service: OauthService;
  readonly #cookies = new Map<string, { value: string; path: string }>();

  constructor(service: OauthService, email: string) {
    this.#service = service;
    this.email = email;
  }

  /** From now on the requests go to another node. */
  moveTo(service: OauthService): void {
    this.#service = service;
  }

  /** Does everything that a client's request for authorization asks for; gives the address it ends at. */
  async approve(authorizationUrl: string | URL): Promise<URL> {
    const page = await this.open(String(authorizationUrl));
    return this.decide(await this.signIn(page), 'approve');
  }

  /** Signs in on a page that asks for it, if it does. */
  async signIn(page: Page): Promise<Page> {
    if (!page.text.includes('name="email"')) return page;
    const entering = await this.send(page, 'email', { email: this.email });
    assert.equal(entering.status, 200, entering.text);
    const code = await this.mailedCode();
    return this.send(entering, 'code', { code });
  }

  async mailedCode(): Promise<string> {
    const message = await lastMessage(this.#service, 'operator_code');
    assert.equal(message?.to, this.email);
    return codeIn(message.text);
  }

  /** Presses one of the two buttons, and gives the address of the client that follows. */
  async decide(page: Page, decision: 'approve' | 'deny'): Promise<URL> {
    const after = await this.send(page, 'decision', { decision });
    assert.ok(after.left, `${after.status} ${after.text}`);
    return after.left;
  }

  /** Opens an address and follows redirects for as long as they stay here. */
  async open(url: string, init: RequestInit = {}): Promise<Page> {
    let next = new URL(url, this.#service.baseUrl);
    let sent = init;
    for (let hops = 0; hops < 10; hops++) {
      const response = await this.#request(next, sent);
      const location = response.headers.get('location');
      if (location === null) {
        return { url: next, status: response.status, headers: response.headers, text: await response.text() };
      }
      next = new URL(location, next);
      sent = {};
      if (next.origin !== this.#service.baseUrl)
        return { url: next, status: response.status, headers: response.headers, text: '', left: next };
    }
    return assert.fail(`${url} redirects without end`);
  }

  /** Sends the form of a page whose address ends like this. */
  async send(page: Page, ending: string, fields: Record<string, string>): Promise<Page> {
    const forms = page.text.split('<form').slice(1);
    const form = forms.find((one) => one.includes(`/${ending}"`));
    assert.ok(form, `there is a form for ${ending} in ${page.status} ${page.text}`);
    const body = new URLSearchParams();
    for (const [, name = '', value = ''] of form.matchAll(
      /<input\s+type="hidden" name="([^"]*)" value="([^"]*)"/g,
    ))
      body.set(name, value);
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    const action = /action="([^"]*)"/.exec(form)?.[1] ?? '';
    return this.open(new URL(action, page.url).href, { method: 'POST', body });
  }

  async #request(url: URL, init: RequestInit): Promise<Response> {
    const cookie = [...this.#cookies]
      .filter(([, { path }]) => url.pathname.startsWith(path))
      .map(([name, { value }]) => `${name.split(' ')[0] ?? ''}=${value}`)
      .join('; ');
    const here = new URL(url.pathname + url.search, this.#service.url);
    const headers = { accept: 'text/html', ...(cookie === '' ? {} : { cookie }) };
    const response = await fetch(here, { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) this.#keep(line);
    return response;
  }

  #keep(line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    const path = /; *path=([^;]+)/i.exec(line)?.[1] ?? '/';
    const key = `${name} ${path}`;
    if (value === '' || /max-age=0|expires=Thu, 01 Jan 1970/i.test(line)) this.#cookies.delete(key);
    else this.#cookies.set(key, { value, path });
  }
}

export interface Page {
  url: URL;
  status: number;
  headers: Headers;
  text: string;
  /** Set when the browser was sent to somebody else. */
  left?: URL;
}
