import { registerHooks } from 'node:module';

/** A statement of the client as it was released, and as it must read. */
type Mend = readonly [defect: string, mended: string];

// postgres.js 3.4.9 does not survive the death of its server (porsager/postgres #1066, #1154, #1208): it writes to a
// socket that is gone, leaves statements unanswered, and gives connections away that transactions of before still
// use. Each mend gives such statements the error of every other lost connection; docs/decisions/0005 has the story.
const MENDS: Readonly<Record<string, readonly Mend[]>> = {
  '/postgres/src/connection.js': [
    [
      '    const x = socket.write(chunk, fn)\n',
      `    if (socket === null) {
      chunk = nextWriteTimer = null
      error(Errors.connection('CONNECTION_CLOSED', options, socket))
      query = errorResponse = null
      return false
    }
    const x = socket.write(chunk, fn)
`,
    ],
    // What was about to be written belongs to the connection that closed, not to the one that replaces it.
    [
      '\n    clearImmediate(nextWriteTimer)\n',
      '\n    clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null\n',
    ],
    // A statement that was issued between the socket's error and its close is rejected like those before it.
    [
      "    !hadError && (query || sent.length) && error(Errors.connection('CONNECTION_CLOSED', options, socket))\n",
      "    ;(query || sent.length) && error(Errors.connection('CONNECTION_CLOSED', options, socket))\n    query = errorResponse = null\n",
    ],
    // Whoever waits for the connection hears of the loss; the client's own question about types has no other reader.
    ['        return fetchArrayTypes()\n', '        return fetchArrayTypes().catch(() => undefined)\n'],
  ],
  '/postgres/src/index.js': [
    // A transaction whose connection closed must not speak on the one that took its place in the pool: it would
    // take that out of the pool for good. Its statements fail, those that wait in its queue too.
    ['    let savepoints = 0\n', '    let savepoints = 0\n      , lost = null\n'],
    [
      '        new Promise((_, reject) => connection.onclose = reject)\n',
      `        new Promise((_, reject) => connection.onclose = error => {
          lost = error
          while (queries.length)
            queries.shift().reject(error)
          reject(error)
        })
`,
    ],
    [
      '        q.catch(e => uncaughtError || (uncaughtError = e))\n',
      '        q.catch(e => uncaughtError || (uncaughtError = e))\n        if (lost)\n          return q.reject(lost)\n',
    ],
  ],
};

/** A file of the client with its defects mended. A release that differs is not mended by halves: it throws. */
export function mend(file: string, source: string): string {
  return (MENDS[file] ?? []).reduce((text, [defect, mended]) => {
    if (!text.includes(defect))
      throw new Error(
        'postgres.js has changed: look whether core/postgres/postgres-client.ts is still needed.',
      );
    return text.replaceAll(defect, mended);
  }, source);
}

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const file = Object.keys(MENDS).find((end) => url.endsWith(end));
    if (file === undefined) return loaded;
    return { ...loaded, source: mend(file, Buffer.from(loaded.source as Uint8Array).toString('utf8')) };
  },
});

const { default: postgres } = await import('postgres');

/** The PostgreSQL client. Import it from here, never from the package, so that it is always the mended one. */
export { postgres };
