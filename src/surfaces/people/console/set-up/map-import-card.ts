import { mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { formatNumber } from '../../../../core/text/format-count.ts';
import { html, type Html } from '../../../../core/text/html.ts';
import {
  recordMapImport,
  removeUpload,
  stopMapImport,
  type MapImport,
} from '../../../../import/map-imports.ts';
import { actionForm } from '../../form/action-form.ts';
import { fileInput, textInput } from '../../form/fields.ts';
import { badge, type StateBadges } from '../../frame/components.ts';
import { conflict, defineAction, refuse, type ActionContext } from '../../person/action.ts';
import type { PageRequest, PageState } from '../../person/page-request.ts';
import { leads, type Staff } from '../../person/people.ts';
import { SET_UP_PATH } from './set-up.ts';

const UPLOAD_BYTES_MAX = 1024 ** 3;
const LOG_LINES_SHOWN = 12;

/** Records an import, which begins after the commit. */
async function begin(act: ActionContext<Staff>, source: string, uploaded?: string): Promise<undefined> {
  const id = await recordMapImport(act.db, { source, staffId: act.person.id, now: act.now });
  if (id === undefined) {
    if (uploaded !== undefined) await removeUpload(uploaded);
    conflict('Another import is running. Wait for its end, or stop it.');
  }
  act.audit(null, { source });
  act.afterCommit(({ deps }) => {
    deps.mapImports.start({ id, source }, uploaded);
    return Promise.resolve(undefined);
  });
}

export const importFromAddress = defineAction({
  name: 'import_map_from_address',
  path: `${SET_UP_PATH}/map-address`,
  who: leads,
  fields: {
    address: {
      ...textInput(z.url({ protocol: /^https?$/ }).max(2048), {
        label: 'Address of an extract',
        hint: 'A file of OpenStreetMap (.osm.pbf). Extracts by country are at download.geofabrik.de.',
        type: 'url',
        maxlength: 2048,
        required: true,
      }),
      error: 'Enter an address that begins with https:// or http://.',
    },
  },
  button: 'Import from this address',
  plain: false,
  done: 'The import has begun.',
  run: (act, { address }) => begin(act, address),
});

export const importUploaded = defineAction({
  name: 'import_uploaded_map',
  path: `${SET_UP_PATH}/map-file`,
  who: leads,
  files: { bytesMax: UPLOAD_BYTES_MAX },
  fields: {
    extract: fileInput({
      label: 'Or a file',
      hint: 'Ends in .osm.pbf, at most 1 GB.',
      accept: '.pbf',
      required: true,
    }),
  },
  button: 'Upload and import',
  done: 'The import has begun.',
  async prepare({ deps, files: [file] }) {
    const name = basename(file?.name ?? '').replaceAll(/[^\w.-]/g, '_');
    if (file === undefined || !/\.osm\.pbf$/.test(name))
      refuse({ faults: { extract: 'Choose a file that ends in .osm.pbf.' } });
    const folder = join(deps.config.dataDir, 'uploads', deps.newId('req'));
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, name);
    await file.save(path);
    return { name, path };
  },
  run: (act, _values, { name, path }) => begin(act, name, path),
});

export const stopImport = defineAction({
  name: 'stop_map_import',
  path: `${SET_UP_PATH}/map-stop/:importId`,
  who: leads,
  button: 'Stop the import',
  done: 'The import is being stopped. Places are stored all at once, so an import that is stopped before leaves nothing behind.',
  async run(act) {
    const { importId = '' } = act.params;
    if (!(await stopMapImport(act.db, importId))) conflict('This import has already ended.');
    act.audit(null, { import: importId });
  },
});

const STATES: StateBadges<MapImport['state']> = {
  running: ['warn', 'Running'],
  done: ['good', 'Finished'],
  failed: ['bad', 'Failed'],
  stopped: ['', 'Stopped'],
};

/** Forms to import an extract, and the progress of the last import. */
export function mapImportCard(
  req: PageRequest<Staff>,
  { last, isFirst }: { last: MapImport | undefined; isFirst: boolean },
  state: PageState,
): Html | false {
  if (!leads.allows(req.person)) return false;
  const forms = html`${actionForm(req, importFromAddress, state, { className: 'flow' })}
  ${actionForm(req, importUploaded, state, { className: 'flow' })}`;
  return html`${last !== undefined && importState(req, last)}
  ${
    last?.state !== 'running' &&
    (isFirst || state.faults !== undefined
      ? forms
      : html`<details>
          <summary>Import another extract</summary>
          ${forms}
        </details>`)
  }`;
}

function importState(req: PageRequest<Staff>, run: MapImport): Html {
  const { id, source, state, stage, done, total, log, stop_wanted: stopping } = run;
  const [kind, word] = stopping && state === 'running' ? ['warn', 'Stopping'] : STATES[state];
  const lines = log.trimEnd().split('\n').slice(-LOG_LINES_SHOWN).join('\n');
  return html`<div class="flow" role="status">
      <p>${badge(kind, word)} <bdi>${source}</bdi></p>
      ${
        state === 'running' &&
        stage !== '' &&
        html`<p>
          <label for="import-progress">${stage}: ${formatNumber(done)} of ${formatNumber(total)}</label>
          <progress id="import-progress" max="${Math.max(total, 1)}" value="${done}"></progress>
        </p>`
      }
    </div>
    ${lines !== '' && html`<pre class="letter"><code>${lines}</code></pre>`}
    ${state === 'running' && !stopping && actionForm(req, stopImport, {}, { params: { importId: id } })}`;
}
