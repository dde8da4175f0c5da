import { html, type Html } from '../../../../core/text/html.ts';
import type { WatchStop } from '../../../../import/changes/watch-stop.ts';
import { formatTime } from '../moment.ts';

/** Lists the maps whose updates have stopped; false while all are followed. */
export function mapWatchCard(stops: readonly (WatchStop & { stopped_at: Date })[]): Html | false {
  if (stops.length === 0) return false;
  return html`<section class="card flow" aria-labelledby="map-watch">
    <h2 id="map-watch">Map updates have stopped <span class="badge bad">Needs you</span></h2>
    ${stops.map(
      ({ source, reason, stopped_at }) =>
        html`<p>
          Since ${formatTime(stopped_at)} changes of <bdi>${source}</bdi> are no longer imported:
          <bdi>${reason}</bdi>
        </p>`,
    )}
    <p>
      Replace or remove the change file, then start <code>waypost import osm … --watch</code> again. This
      notice disappears when the map is watched again.
    </p>
  </section>`;
}
