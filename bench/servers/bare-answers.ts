import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

// The floor for many answers: looks the path, or for a POST its body, up in a table and sends the bytes that stand there.
const answers = new Map(
  Object.entries(JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Record<string, string>).map(
    ([asked, body]) => [asked, Buffer.from(body)] as const,
  ),
);
const server = createServer((request, response) => {
  if (request.method !== 'POST') {
    send(response, request.url ?? '');
    return;
  }
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    send(response, Buffer.concat(chunks).toString());
  });
});

function send(response: ServerResponse, asked: string): void {
  const body = answers.get(asked);
  if (body === undefined) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
  response.end(body);
}

server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listening on ${(server.address() as AddressInfo).port}\n`);
});
process.on('SIGTERM', () => {
  server.closeAllConnections();
  server.close();
});
