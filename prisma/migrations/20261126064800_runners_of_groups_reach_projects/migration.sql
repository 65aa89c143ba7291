-- What a group says of the runners of the instance is now obeyed, and its projects show it.
UPDATE "projects" p
   SET "attributes" = p."attributes" || '{"sharedRunnersEnabled":false}'
  FROM "namespaces" n
 WHERE n."id" = p."namespace_id" AND n."shared_runners_setting" <> 'enabled';
