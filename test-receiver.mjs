import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.WEBHOOK_SECRET); // whsec_…; the library decodes it
const latest = new Map(); // booking_id → the highest sequence seen; keep it in your database

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  let event;
  try {
    event = webhook.verify(Buffer.concat(chunks), request.headers);
  } catch {
    return response.writeHead(400).end();
  }
  const { booking_id: booking, status } = event.data;
  // Late and repeated events are answered with success too: they have arrived.
  if (event.type !== 'webhook.test' && event.sequence > (latest.get(booking) ?? 0)) {
    latest.set(booking, event.sequence);
    console.log(`${booking} is ${status}`);
  }
  response.writeHead(204).end();
}).listen(process.env.PORT ?? 8080, '127.0.0.1');
