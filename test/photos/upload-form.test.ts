import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { uploadedFileOf } from '../../src/photos/photo-storage.ts';
import { until } from '../harness/service/jobs.ts';
import { USER_AGENT } from '../harness/service/service.ts';
import { sharedService } from '../harness/service/shared-service.ts';
import { smallPhoto, SVG_WITH_SCRIPT } from './made-pictures.ts';
import { addPhotographer, sendFiles } from './photographer.ts';

const PATH = '/photos/mine/upload';
const BOUNDARY = 'a-line-between-parts';
const MEGABYTE = 2 ** 20;
const service = await sharedService();
const { pool } = service.database;
const photographer = await addPhotographer(service);
const { member, placeId } = photographer;
const folder = join(service.app.deps.config.dataDir, 'uploads');

/** The files of uploads that the process has open; they have no name, so only the system knows them. */
function openUploads(): string[] {
  if (!existsSync('/proc/self/fd')) return [];
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const target = readlinkSync(`/proc/self/fd/${fd}`);
      return target.startsWith(folder) ? [target] : [];
    } catch {
      return [];
    }
  });
}

async function assertNothingLeft(): Promise<void> {
  assert.deepEqual(readdirSync(folder), []);
  await until('no file is held open', () => (openUploads().length === 0 ? true : undefined));
}

function field(name: string, value: string): Buffer {
  return Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`);
}

function file(name: string, bytes: Buffer): Buffer {
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="photos"; filename="${name}"\r\n`;
  return Buffer.concat([Buffer.from(`${head}Content-Type: image/jpeg\r\n\r\n`), bytes, Buffer.from('\r\n')]);
}

const END = Buffer.from(`--${BOUNDARY}--\r\n`);

/** Begins a request that the test writes and ends, or breaks off, by itself. */
function begin(headers: Record<string, string> = {}): { call: ClientRequest; answer: Promise<Answer> } {
  const cookie = [...member.cookies].map(([key, value]) => `${key}=${value}`).join('; ');
  const call = httpRequest(service.url + PATH, {
    method: 'POST',
    headers: {
      host: 'waypost.example',
      'user-agent': USER_AGENT,
      accept: 'application/json',
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      cookie,
      ...headers,
    },
  });
  const answer = new Promise<Answer>((resolve, reject) => {
    call.on('error', reject);
    call.on('response', (response) => {
      readAnswer(response).then(resolve, reject);
    });
  });
  return { call, answer };
}

interface Answer {
  status: number | undefined;
  closes: boolean;
  body: { code?: string; detail?: string; files?: { name: string; photo_id?: string }[] };
}

async function readAnswer(response: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const { statusCode: status, headers } = response;
  const body = JSON.parse(Buffer.concat(chunks).toString()) as Answer['body'];
  return { status, closes: headers.connection === 'close', body };
}

async function send(parts: readonly Buffer[], headers?: Record<string, string>): Promise<Answer> {
  const { call, answer } = begin(headers);
  call.end(Buffer.concat(parts));
  return answer;
}

const token = () => member.token(`${PATH}?place=${placeId}`);

test('the fields of a form count wherever they stand, also behind the files', async () => {
  const csrf = field('csrf', await token());
  const place = field('place_id', placeId);
  const { status, body } = await send([file('Tür 1.jpg', await smallPhoto(1)), place, csrf, END]);
  assert.equal(status, 201, JSON.stringify(body));
  const [line] = await pool`
    select operation, subject, detail from audit_log where actor = ${member.memberId} and operation = 'upload_photos'`;
  const [photo] = body.files ?? [];
  assert.equal(photo?.name, 'Tür 1.jpg');
  assert.deepEqual(line, {
    operation: 'upload_photos',
    subject: placeId,
    detail: { photos: photo.photo_id },
  });
  await assertNothingLeft();
});

test('no file is looked at before the token of the form is: a forged form takes nothing', async () => {
  const place = field('place_id', placeId);
  const [before] = await pool`select count(*)::int as photos from photo`;
  for (const csrf of [[], [field('csrf', 'x.y')]]) {
    const { status, body } = await send([file('x.jpg', await smallPhoto(2)), place, ...csrf, END]);
    assert.deepEqual([status, body.code], [403, 'csrf_refused']);
  }
  assert.deepEqual((await pool`select count(*)::int as photos from photo`)[0], before);
  await assertNothingLeft();
});

test('nothing is left of files that were refused, and no line is written about them', async () => {
  const lines = () => pool`select count(*)::int from audit_log where actor = ${member.memberId}`;
  const before = await lines();
  const bad = { name: 'bad.svg', bytes: SVG_WITH_SCRIPT };
  assert.equal((await sendFiles(service, photographer, [bad])).status, 422);
  const again = await sendFiles(service, photographer, [bad], { accept: 'text/html' });
  assert.equal(again.status, 422);
  assert.equal((await sendFiles(service, photographer, [])).status, 422);
  assert.deepEqual(await lines(), before);
  await assertNothingLeft();
});

test('a file that cannot be stored keeps none of the others from it, and may be sent again', async () => {
  const { photoStorage } = service.app.deps;
  const put = photoStorage.put.bind(photoStorage);
  let puts = 0;
  photoStorage.put = (...given) => {
    const uploaded = given[0].startsWith(uploadedFileOf(''));
    return uploaded && puts++ === 0 ? Promise.reject(new Error('a full disk')) : put(...given);
  };
  const earlier = (await pool<{ id: string }[]>`select id from photo`).map(({ id }) => id);
  const pictures = await Promise.all([21, 22, 23].map((seed) => smallPhoto(seed)));
  const parts = pictures.map((bytes, at) => file(`${at}.jpg`, bytes));
  const form = [field('csrf', await token()), field('place_id', placeId), ...parts, END];
  assert.equal((await send(form)).status, 500);
  photoStorage.put = put;
  assert.equal(puts, 3);
  const states = () => pool<{ state: string }[]>`
    select state from photo where id <> all(${earlier}::text[]) order by state`;
  await until('each is decided', async () =>
    (await states()).every(({ state }) => state !== 'processing') ? true : undefined,
  );
  const kinds = (await states()).map(({ state }) => state);
  assert.deepEqual(kinds, ['refused', 'to_check', 'to_check']);
  const again = await send([
    field('csrf', await token()),
    field('place_id', placeId),
    file('0.jpg', pictures[0] ?? Buffer.alloc(0)),
    END,
  ]);
  assert.equal(again.status, 201);
});

test('a form that breaks off is refused, and one without its line between parts too', async () => {
  const parts = [field('csrf', await token()), file('x.jpg', randomBytes(MEGABYTE))];
  const unreadable = [400, 'bad_request', 'The form cannot be read.'];
  const told = ({ status, body }: Answer) => [status, body.code, body.detail];
  assert.deepEqual(told(await send(parts)), unreadable);
  const headers = { 'content-type': 'multipart/form-data' };
  assert.deepEqual(told(await send([...parts, END], headers)), unreadable);
  const many = Array.from({ length: 61 }, () => field('place_id', placeId));
  assert.deepEqual(told(await send([...many, END])), unreadable);
  await assertNothingLeft();
});

test('a file waits on the disk without a name, and is gone when its connection breaks', async () => {
  const { call, answer } = begin({ 'transfer-encoding': 'chunked' });
  call.write(field('csrf', await token()));
  call.write(file('x.jpg', randomBytes(3 * MEGABYTE)));
  await until('the file lies on the disk', () => {
    const [path] = openUploads();
    return !existsSync('/proc/self/fd') || path?.endsWith(' (deleted)') === true ? true : undefined;
  }).finally(() => {
    call.destroy();
  });
  await assert.rejects(answer);
  await assertNothingLeft();
});

test('a form of more than 75 MB is refused, whether it says so first or not', async () => {
  const announced = begin({ 'content-length': String(80 * MEGABYTE) });
  announced.call.flushHeaders();
  const first = await announced.answer;
  assert.deepEqual([first.status, first.body.code, first.closes], [413, 'body_too_large', true]);

  const { call, answer } = begin({ 'transfer-encoding': 'chunked' });
  // A client that goes on sending may lose its connection before it reads the answer.
  const told = answer.catch(() => undefined);
  call.write(file('x.jpg', Buffer.alloc(MEGABYTE)).subarray(0, -2));
  const piece = Buffer.alloc(MEGABYTE);
  let megabytes = 1;
  const over = told.then(() => true);
  // A connection that was closed takes no more and says nothing about it.
  const write = () =>
    new Promise<false>((done) =>
      call.write(piece, () => {
        done(false);
      }),
    );
  while (megabytes < 200 && !(await Promise.race([over, write()]))) megabytes++;
  assert.ok(megabytes < 200, 'it is not read to its end');
  assert.equal((await told)?.status ?? 413, 413);
  call.destroy();
  await assertNothingLeft();
});
