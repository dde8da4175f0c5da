import { z } from 'zod';
import { text } from '../../../../core/text/text.ts';
import { areaInput } from '../../form/fields.ts';
import { partPage } from './listing-part.ts';

const ABOUT_MAX = 2_000;
const SHOWN_MAX = ABOUT_MAX.toLocaleString('en');

export const venueAboutPage = partPage({
  part: 'about',
  title: 'Description',
  lead: 'What a guest finds at your place, in your own words. It is shown on your page and to agents.',
  fields: {
    about: {
      ...areaInput(
        z
          .string()
          .overwrite((written) => written.replaceAll('\r\n', '\n'))
          .pipe(text(0, ABOUT_MAX)),
        {
          label: 'Description',
          hint: `Plain text, at most ${SHOWN_MAX} characters. Awards and ratings are shown apart, with their source. Leave it empty to show none.`,
          rows: 8,
          maxlength: ABOUT_MAX,
        },
      ),
      error: `Write plain text of at most ${SHOWN_MAX} characters.`,
    },
  },
  button: 'Save description',
  content: ({ person }) => ({ values: { about: person.place.about } }),
  read: (_act, { about }) => (about === '' ? null : about),
});
