import type { Adapter } from 'oidc-provider';
import type { Deps } from '../../core/context.ts';
import { transactionsOf } from '../../core/postgres/db.ts';
import { GrantStore } from '../grant.ts';
import { ClientStore } from './client-store.ts';
import { InteractionStore } from './interaction-store.ts';
import { LibraryClock } from './library-clock.ts';
import { TokenStore } from './token-store.ts';

/** Maps each model of the library to its store. The library calls it outside of any transaction of ours. */
export function adapterOf({ pool, clock, config, secrets }: Deps): (name: string) => Adapter {
  const libraryClock = new LibraryClock(clock);
  const inTransaction = transactionsOf(pool);
  return (name) => {
    switch (name) {
      case 'AuthorizationCode':
      case 'AccessToken':
      case 'RefreshToken':
        return completeAdapter(new TokenStore(pool, libraryClock, name));
      case 'Interaction':
        return completeAdapter(new InteractionStore(pool, inTransaction, libraryClock, config.baseUrl));
      case 'Grant':
        return completeAdapter(new GrantStore(pool, config.prefix));
      case 'Client':
        return completeAdapter(new ClientStore(pool, secrets.oauth));
      // Sign-in is handled by us: the library's sessions are created for one request and not stored.
      default:
        return completeAdapter({ find: () => Promise.resolve(undefined) });
    }
  };
}

/** Fills in no-ops for methods that a store lacks: they are never called, or have nothing to do. */
function completeAdapter(store: Partial<Adapter>): Adapter {
  const nothing = () => Promise.resolve(undefined);
  return {
    upsert: (...args) => store.upsert?.(...args) ?? nothing(),
    find: (id) => store.find?.(id) ?? nothing(),
    findByUid: nothing,
    findByUserCode: nothing,
    consume: (id) => store.consume?.(id) ?? nothing(),
    destroy: (id) => store.destroy?.(id) ?? nothing(),
    revokeByGrantId: (grantId) => store.revokeByGrantId?.(grantId) ?? nothing(),
  };
}
