import { createFileRoute } from "@tanstack/react-router";
import { generatorRoute } from "#src/features/blog-admin/pages.ts";

export const Route = createFileRoute("/_signedIn/_admin/blog/admin/generator")(generatorRoute());
