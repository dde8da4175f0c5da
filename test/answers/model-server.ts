import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';

/** A request to a language model in the form of OpenAI's chat completions. */
export interface ChatRequest {
  model: string;
  messages: { role: string; content: string }[];
  authorization: string | undefined;
}

/** The text of an answer; or what a broken endpoint does instead. */
export type ModelAnswer =
  { content: string } | { status: number } | { body: string } | { silent: true } | { endless: true };

export interface ModelServer {
  url: string;
  asked: ChatRequest[];
  /** Makes all further answers. */
  answer: (items: { id: string; sentence: string }[]) => ModelAnswer;
}

/** A real HTTP server of the form of a chat endpoint, whose words the test decides. */
export async function startModelServer(): Promise<ModelServer> {
  const server: ModelServer = { url: '', asked: [], answer: () => ({ status: 500 }) };
  const http = createServer((request, response) => {
    void readAll(request).then((text) => {
      const chat = JSON.parse(text) as ChatRequest;
      server.asked.push({ ...chat, authorization: request.headers.authorization });
      const { items } = JSON.parse(chat.messages.at(-1)?.content ?? '{}') as {
        items: { id: string; sentence: string }[];
      };
      const said = server.answer(items);
      if ('silent' in said) return;
      if ('endless' in said) {
        response.writeHead(200, { 'content-type': 'application/json' });
        for (let i = 0; i < 64; i++) response.write('x'.repeat(4096));
        response.end();
        return;
      }
      if ('status' in said) {
        response.writeHead(said.status).end('{}');
        return;
      }
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('body' in said ? said.body : JSON.stringify(completion(chat.model, said.content)));
    });
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  server.url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/v1/chat/completions`;
  after(() => {
    http.closeAllConnections();
    http.close();
  });
  return server;
}

function completion(model: string, content: string) {
  const message = { role: 'assistant', content };
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    model,
    choices: [{ index: 0, message, finish_reason: 'stop' }],
  };
}

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
