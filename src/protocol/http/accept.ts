import { memoizeText } from '../../core/memory/memoize-text.ts';

type MediaType = 'application/json' | 'text/event-stream';

const REMEMBERED = 500;
const acceptsCached = {
  'application/json': memoizeText((header) => allows(header, 'application/json'), REMEMBERED),
  'text/event-stream': memoizeText((header) => allows(header, 'text/event-stream'), REMEMBERED),
};

export function accepts(header: string | undefined, type: MediaType): boolean {
  return header === undefined || acceptsCached[type](header);
}

function allows(header: string, type: MediaType): boolean {
  if (header.trim() === '') return true;
  const family = `${type.slice(0, type.indexOf('/'))}/*`;
  return header.split(',').some((range) => {
    const [name, ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const refused = parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
    return (name === type || name === family || name === '*/*') && !refused;
  });
}
