import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { after } from 'node:test';

/** A server on loopback that stands where PostgreSQL is looked for; closed after the test file. */
async function standIn(serve: (near: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    sockets.add(near.on('error', () => undefined));
    serve(near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

export function silentServer(): Promise<number> {
  return standIn(() => undefined);
}

/** Says no to every connection, as PostgreSQL or a pooler in front of it does. */
export function refusingServer(code: string, message: string): Promise<number> {
  return standIn((near) => {
    near.once('data', () => near.end(errorResponse(code, message)));
  });
}

function errorResponse(code: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`);
  const head = Buffer.from('E....');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

interface PassingOn {
  /** Changes the server's bytes on their way; the length must stay. */
  change?: (said: Buffer) => Buffer;
  /** Names among the parameters of a start that are taken; with any other the connection is refused. */
  parameters?: readonly string[];
}

/** Passes everything on to a real server, but for what it changes or refuses. */
export function passingServer(
  url: string,
  { change = (said) => said, parameters }: PassingOn,
): Promise<number> {
  const { hostname, port } = new URL(url);
  return standIn((near) => {
    near.once('data', (start: Buffer) => {
      // Length, version, then names and values in turn, each with a zero behind it.
      const words = start.toString('utf8', 8).split('\0');
      const names = words.filter((word, at) => at % 2 === 0 && word !== '');
      const refused = parameters && names.find((name) => !parameters.includes(name));
      if (refused !== undefined) {
        near.end(errorResponse('08P01', `unsupported startup parameter: ${refused}`));
        return;
      }
      const far = connect(Number(port), hostname).on('error', () => near.destroy());
      far.write(start);
      near.pipe(far);
      far.on('data', (said: Buffer) => near.write(change(said)));
      far.on('close', () => near.destroy());
      near.on('close', () => far.destroy());
    });
  });
}

/**
 * Passes everything on until it is silenced or a client has sent data; then it passes nothing on and closes nothing.
 * Its sockets stay open and answer for the client, as those of a proxy do whose clients are gone.
 */
export async function silentProxy(url: string): Promise<{
  url: string;
  isSilent: () => boolean;
  silence: () => void;
  silenceAfter: (said: string) => void;
  /** Does something once, as soon as the server has got what a client says. */
  afterSaying: (said: string, act: () => void) => void;
  end: () => void;
}> {
  const { port, hostname } = new URL(url);
  const sockets: Socket[] = [];
  let silent = false;
  let awaited: { said: string; act: () => void } | undefined;
  const own = await standIn((near) => {
    const far = connect(Number(port), hostname);
    sockets.push(near, far);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('data', (bytes: Buffer) => {
        if (silent) return;
        to.write(bytes);
        if (from !== near || awaited === undefined || !bytes.includes(awaited.said)) return;
        const { act } = awaited;
        awaited = undefined;
        act();
      });
      from.on('error', () => undefined);
      from.on('close', () => !silent && to.destroy());
    }
  });
  const address = new URL(url);
  address.port = String(own);
  const silence = () => {
    silent = true;
  };
  return {
    url: address.href,
    isSilent: () => silent,
    silence,
    silenceAfter: (said) => (awaited = { said, act: silence }),
    afterSaying: (said, act) => (awaited = { said, act }),
    end: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}
