import { html, type Html } from '../../../core/text/html.ts';
import { icon } from './icon.ts';

/** Renders the search box over everything that people look for. A script fills in suggestions while they type. */
export function finder(text: string): Html {
  return html`<form class="finder" action="/" method="get" role="search">
    <label for="q" class="${text !== '' && 'unseen'}"
      >A place, a dish, a kind of place or a destination</label
    >
    <div>
      <input
        id="q"
        name="q"
        type="search"
        value="${text}"
        maxlength="80"
        placeholder="dinner near Hôtel de Paris"
        autocomplete="off"
        spellcheck="false"
      /><button class="button">Find</button>
    </div>
    <div class="finds" role="status"></div>
    ${text === '' && html`<button class="near-me" type="button" hidden>${icon('locate-fixed')} Near me</button>`}
  </form>`;
}
