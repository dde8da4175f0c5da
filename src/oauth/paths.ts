/** Where the endpoints of OAuth are; the metadata documents name the same. */
export const AUTHORIZE_PATH = '/oauth/authorize';
export const TOKEN_PATH = '/oauth/token';
export const REGISTER_PATH = '/oauth/register';
export const REVOKE_PATH = '/oauth/revoke';
/** The pages on which a person decides, and sees what was decided. */
export const CONNECT_PATH = '/oauth/connect';
export const CONNECTIONS_PATH = '/oauth/connections';
