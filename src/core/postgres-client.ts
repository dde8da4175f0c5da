import { registerHooks } from 'node:module';

// postgres.js 3.4.9 writes to a socket that is already gone when a server dies between two statements. It throws
// from a timer, where nobody can catch it, and that ends the process (porsager/postgres #1066, #1154, #1208).
// The write is turned into the error that every other lost connection gives. docs/decisions/0005 has the story.
const UNGUARDED = 'const x = socket.write(chunk, fn)';
const GUARDED = `if (socket === null) {
      chunk = nextWriteTimer = null
      error(Errors.connection('CONNECTION_CLOSED', options, socket))
      return false
    }
    ${UNGUARDED}`;

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.endsWith('/postgres/src/connection.js')) return loaded;
    const source = Buffer.from(loaded.source as Uint8Array).toString('utf8');
    // A release that mends it will look different, and is then used as it is.
    return { ...loaded, source: source.replace(UNGUARDED, GUARDED) };
  },
});

const { default: postgres } = await import('postgres');

/** The PostgreSQL client. Import it from here, never from the package, so that it is always the guarded one. */
export { postgres };
