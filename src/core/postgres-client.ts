import { registerHooks } from 'node:module';

// postgres.js 3.4.9 does not survive the death of its server: it writes to a socket that is gone, which throws from
// a timer and ends the process, or it leaves a statement unanswered for ever (porsager/postgres #1066, #1154, #1208).
// These mends give such statements the error of every other lost connection. docs/decisions/0005 has the story.
const MENDS: readonly (readonly [defect: string, mended: string])[] = [
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
];

/** The client's source with the defects mended. A release that differs is not mended by halves: it throws. */
export function mendConnection(source: string): string {
  return MENDS.reduce((text, [defect, mended]) => {
    if (!text.includes(defect))
      throw new Error('postgres.js has changed: look whether core/postgres-client.ts is still needed.');
    return text.replaceAll(defect, mended);
  }, source);
}

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.endsWith('/postgres/src/connection.js')) return loaded;
    return { ...loaded, source: mendConnection(Buffer.from(loaded.source as Uint8Array).toString('utf8')) };
  },
});

const { default: postgres } = await import('postgres');

/** The PostgreSQL client. Import it from here, never from the package, so that it is always the mended one. */
export { postgres };
