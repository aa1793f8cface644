import { createFileRoute } from "@tanstack/react-router";
import { postsRoute } from "#src/features/blog-admin/pages.ts";

export const Route = createFileRoute("/_signedIn/_admin/admin/blog/")(postsRoute());
