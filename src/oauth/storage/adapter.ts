import type { Adapter } from 'oidc-provider';
import type { Deps } from '../../core/context.ts';
import { transactionsOf } from '../../core/postgres/db.ts';
import { GrantStore } from '../grant.ts';
import { ClientStore } from './client-store.ts';
import { InteractionStore } from './interaction-store.ts';
import { LibraryClock } from './library-clock.ts';
import { TokenStore } from './token-store.ts';

/** Where each thing that the library knows is kept. The library calls it outside of any transaction of ours. */
export function adapterOf({ pool, clock, config, secrets }: Deps): (name: string) => Adapter {
  const libraryClock = new LibraryClock(clock);
  const inTransaction = transactionsOf(pool);
  return (name) => {
    switch (name) {
      case 'AuthorizationCode':
      case 'AccessToken':
      case 'RefreshToken':
        return whole(new TokenStore(pool, libraryClock, name));
      case 'Interaction':
        return whole(new InteractionStore(pool, inTransaction, libraryClock, config.baseUrl));
      case 'Grant':
        return whole(new GrantStore(pool, config.prefix));
      case 'Client':
        return whole(new ClientStore(pool, secrets.oauth));
      // Who is signed in is our own matter: the library's sessions are made for one request and forgotten.
      default:
        return whole({ find: () => Promise.resolve(undefined) });
    }
  };
}

/** What a store does not have is never asked of it, or has nothing to do. */
function whole(store: Partial<Adapter>): Adapter {
  const nothing = () => Promise.resolve(undefined);
  return {
    upsert: (...given) => store.upsert?.(...given) ?? nothing(),
    find: (id) => store.find?.(id) ?? nothing(),
    findByUid: nothing,
    findByUserCode: nothing,
    consume: (id) => store.consume?.(id) ?? nothing(),
    destroy: (id) => store.destroy?.(id) ?? nothing(),
    revokeByGrantId: (grantId) => store.revokeByGrantId?.(grantId) ?? nothing(),
  };
}
