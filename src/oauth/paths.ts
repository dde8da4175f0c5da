/** Paths of the OAuth endpoints; the metadata documents list them too. */
export const AUTHORIZE_PATH = '/oauth/authorize';
export const TOKEN_PATH = '/oauth/token';
export const REGISTER_PATH = '/oauth/register';
export const REVOKE_PATH = '/oauth/revoke';
/** Pages on which a person decides, and manages connections. */
export const CONNECT_PATH = '/oauth/connect';
export const CONNECTIONS_PATH = '/oauth/connections';
