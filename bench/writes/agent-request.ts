import { httpRequest } from '../load.ts';

export const USER_AGENT = 'WaypostBench/1.0 (+https://waypost.example/bench)';

/** A write of surface A as it goes over the wire, with the key of an agent or none. */
export function agentRequest(port: number, path: string, key: string | undefined, body: object): Buffer {
  const headers = {
    'user-agent': USER_AGENT,
    'content-type': 'application/json',
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
  };
  return httpRequest('POST', path, port, headers, JSON.stringify(body));
}
