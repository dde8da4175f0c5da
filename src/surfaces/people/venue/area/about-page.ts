import { z } from 'zod';
import { text } from '../../../../core/text/text.ts';
import { areaInput } from '../../form/fields.ts';
import { partPage } from './listing-part.ts';

const ABOUT_MAX = 2_000;

export const venueAboutPage = partPage({
  part: 'about',
  fields: {
    about: areaInput(
      z
        .string()
        .overwrite((written) => written.replaceAll('\r\n', '\n'))
        .pipe(text(0, ABOUT_MAX)),
      { label: 'Description', rows: 8, maxlength: ABOUT_MAX },
    ),
  },
  faults: ({ area }) => ({ about: area('fault.about', { max: ABOUT_MAX }) }),
  content: ({ person }, { area }) => ({
    values: { about: person.place.about },
    fields: { about: { label: area('part.about'), hint: area('about.hint', { max: ABOUT_MAX }) } },
  }),
  read: (_act, { about }) => (about === '' ? null : about),
});
