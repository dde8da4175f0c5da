import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import { longTest } from '../harness/tier.ts';
import { until } from '../harness/service/jobs.ts';
import { USER_AGENT } from '../harness/service/service.ts';
import { sharedService } from '../harness/service/shared-service.ts';
import { addPhotographer } from '../photos/photographer.ts';

const service = await sharedService();
const { hostname, port } = new URL(service.url);
const { member } = await addPhotographer(service);
const cookie = [...member.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const FILES_TYPE = 'multipart/form-data; boundary=line';
const UPLOAD = '/photos/mine/upload';
const PART = '--line\r\nContent-Disposition: form-data; name="photos"; filename="a.jpg"\r\n\r\n';

interface Heard {
  text: string;
  ended: Promise<string>;
}

/** Begins a request and keeps what comes back; the rest of the body is up to the test. */
function begin(path: string, type: string, length: number, headers = ''): { socket: Socket; heard: Heard } {
  const socket = connect(Number(port), hostname);
  const heard: Heard = {
    text: '',
    ended: new Promise((resolve) => {
      socket
        .on('error', () => undefined)
        .on('close', () => {
          resolve(heard.text);
        });
    }),
  };
  socket.on('data', (chunk: Buffer) => (heard.text += chunk.toString()));
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: waypost.example\r\nUser-Agent: ${USER_AGENT}\r\nAccept: application/json\r\n` +
      `Content-Type: ${type}\r\nContent-Length: ${length}\r\n${headers}\r\n`,
  );
  return { socket, heard };
}

/** Sends a piece again and again until the other side has had enough, or all pieces are sent. */
async function drip(socket: Socket, piece: Buffer, everyMs: number, times = Infinity): Promise<void> {
  for (let sent = 0; sent < times && socket.writable && !socket.destroyed; sent++) {
    socket.write(piece);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}

const DRIP = Buffer.from(' ');
const SLOW: [path: string, type: string, headers?: string][] = [
  ['/api/agent/signup', JSON_TYPE],
  ['/mcp', JSON_TYPE],
  ['/api/partner/mcp', JSON_TYPE],
  ['/api/concierge/mcp', JSON_TYPE],
  ['/oauth/token', FORM_TYPE],
  ['/oauth/register', JSON_TYPE],
  ['/partner/sign-in', FORM_TYPE],
  ['/webhooks/stripe', JSON_TYPE],
  [UPLOAD, FILES_TYPE, `Cookie: ${cookie}\r\n`],
];

function assertCutOff(path: string, text: string): void {
  // Some refuse without reading; they too close the connection of a client that goes on sending.
  assert.match(text, /^HTTP\/1\.1 4\d\d /, path);
  if (path !== '/webhooks/stripe') assert.match(text, /^HTTP\/1\.1 408 /, path);
}

/** The 30 seconds that a body has: each begins as ever, and ends when the test says so. */
function bodyTimes(t: TestContext): { end: () => void }[] {
  const begun: { end: () => void }[] = [];
  const { setTimeout: start } = globalThis;
  t.mock.method(globalThis, 'setTimeout', (passed: () => void, ms?: number, ...given: []) => {
    const timer = start(passed, ms, ...given);
    if (ms === 30_000 && new Error().stack?.includes('body-watch.ts') === true)
      begun.push({
        end: () => {
          clearTimeout(timer);
          passed();
        },
      });
    return timer;
  });
  return begun;
}

test('a body that is not there after its time is cut off, wherever it is sent; files that advance get as much again', async (t) => {
  const times = bodyTimes(t);
  const accepted: Socket[] = [];
  const accept = (socket: Socket) => accepted.push(socket);
  service.app.http.server.on('connection', accept);
  t.after(() => service.app.http.server.off('connection', accept));
  const cut = SLOW.map(async ([path, type, headers]) => {
    const { socket, heard } = begin(path, type, 10_000, headers);
    socket.write(type === FILES_TYPE ? PART : DRIP);
    return [path, await heard.ended] as const;
  });
  await until('all of them are waited for', () => times.length === SLOW.length);
  for (const { end } of times.splice(0)) end();
  for (const [path, text] of await Promise.all(cut)) assertCutOff(path, text);

  // More than is read ahead: once a piece has arrived, the service knows who sends it and reads it.
  const piece = Buffer.alloc(512 * 1024);
  const end = '\r\n--line--\r\n';
  const { socket, heard } = begin(
    UPLOAD,
    FILES_TYPE,
    PART.length + piece.length * 3 + end.length,
    `Cookie: ${cookie}\r\nConnection: close\r\n`,
  );
  socket.write(PART);
  const server = await until('the files are waited for', () =>
    times.length === 1 ? accepted.find(({ remotePort }) => remotePort === socket.localPort) : undefined,
  );
  for (let round = 0; round < 3; round++) {
    const before = server.bytesRead;
    socket.write(piece);
    await until('a piece has arrived', () => server.bytesRead >= before + piece.length);
    times.shift()?.end();
    assert.equal(times.length, 1, 'it has the same time once more');
  }
  socket.write(end);
  assert.match(await heard.ended, /^HTTP\/1\.1 403 [\s\S]*csrf_refused/, 'it was read to its end');
});

longTest(
  'a body that does not arrive is cut off, wherever it is sent; files that advance are waited for',
  async () => {
    const cut = SLOW.map(async ([path, type, headers]) => {
      const { socket, heard } = begin(path, type, 10_000, headers);
      if (type === FILES_TYPE) socket.write(PART);
      void drip(socket, DRIP, 1_000);
      return [path, await heard.ended] as const;
    });
    const piece = Buffer.alloc(8 * 1024);
    const times = 70;
    const end = '\r\n--line--\r\n';
    const advancing = begin(
      UPLOAD,
      FILES_TYPE,
      PART.length + piece.length * times + end.length,
      `Cookie: ${cookie}\r\nConnection: close\r\n`,
    );
    advancing.socket.write(PART);
    const whole = drip(advancing.socket, piece, 500, times).then(() => advancing.socket.write(end));
    for (const [path, text] of await Promise.all(cut)) assertCutOff(path, text);
    await whole;
    assert.match(
      await advancing.heard.ended,
      /^HTTP\/1\.1 403 [\s\S]*csrf_refused/,
      'it was read to its end',
    );
  },
);

test('files of somebody who is not signed in are refused before they are read, and the line is closed', async () => {
  const refused = [UPLOAD, '/venue/photo'].map(async (path) => {
    const { socket, heard } = begin(path, FILES_TYPE, 50 * 2 ** 20);
    socket.write(PART);
    const answered = new Promise((resolve) => socket.once('data', resolve));
    await answered;
    assert.match(heard.text, /^HTTP\/1\.1 401 [\s\S]*sign_in_required/, path);
    assert.ok(socket.bytesWritten < 1_000, 'nothing of the file was sent yet');
    void drip(socket, Buffer.alloc(1024), 50);
    await heard.ended;
    assert.ok(socket.bytesWritten < 2 ** 20, path);
  });
  await Promise.all(refused);
});
