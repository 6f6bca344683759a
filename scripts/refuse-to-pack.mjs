// What npm, pnpm or yarn would pack in a package's folder cannot be installed: its ranges and paths are those of this workspace.
console.error(
  'Packages are not packed in their own folders: what comes of it cannot be installed. ' +
    'Run "npm run pack" in the folder of the whole checkout; it writes all archives to packed/.',
);
process.exit(1);
