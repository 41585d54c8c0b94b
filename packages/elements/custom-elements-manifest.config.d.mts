declare const config: { globs: string[]; exclude: string[]; plugins: object[] };
export default config;
