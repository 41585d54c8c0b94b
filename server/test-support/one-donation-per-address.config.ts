import { defineConfig } from '@connect-embed/server';

export default defineConfig({ limits: { address: { points: 1, seconds: 60 } } });
