/** The public API of the BFF package. Web-standard: it imports nothing of Node. */
export { createConnectServer, type ConnectServer } from './app.ts';
export { defineConfig, type ConnectConfig, type ConnectServerConfig } from './connect-config.ts';
export type { Log } from './log.ts';
export type { CreatePages } from './pages.ts';
export type { HandledEvents, ReceivedEvent, OnEvent } from './routes/webhook-events.ts';
export { memoryTokenStore, type TokenStore } from './platform/token-store.ts';
export type { MayConnect, OnConnected, OnDisconnected } from './platform/platform-config.ts';
export type { Script, Scripts } from './scripts/script-source.ts';
