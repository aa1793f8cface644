import { parseArgs } from "node:util";
import { readConfig } from "#server/config/config.ts";
import { openBucket } from "#server/storage/bucket.ts";
import { moveFiles } from "#server/storage/move-files.ts";

const usage = `npm run files -- move [--remove]

Copies recordings, pictures and vaults from the data folder (PARLANCE_DATA) to the bucket (S3_BUCKET and its other variables). Stop the
server first. Each copy is read back and compared. You can interrupt the command and run it again. --remove deletes each file after its
copy was compared.`;

const { values, positionals } = parseArgs({ allowPositionals: true, options: { remove: { type: "boolean", default: false } } });
if (positionals.join(" ") !== "move") {
  console.log(usage);
  process.exit(positionals.length === 0 ? 0 : 1);
}
try {
  const { bucket: settings, dataDir } = readConfig(process.env);
  if (settings === undefined) throw new Error("S3_BUCKET is not set, so files can't be moved.");
  const bucket = await openBucket(settings);
  await bucket.check();
  const onCopied = (key: string, bytes: number) => console.log(`${key} (${bytes} bytes)`);
  const { copied, known, bytes, left } = await moveFiles({ dataDir, bucket, removes: values.remove, onCopied });
  bucket.close();
  console.log(`${copied} files copied and compared (${bytes} bytes), ${known} were already there.`);
  if (left.length > 0) {
    console.log(
      `${left.length} stay in the folder, because they were still incomplete: these uploads must start again, and unfinished`,
    );
    console.log("dictations become transcriptions when the server runs with the folder. Then run this command again.");
    for (const name of left) console.log(`  ${name}`);
    process.exitCode = 2;
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
