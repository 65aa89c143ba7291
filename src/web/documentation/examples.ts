/** An example operation in GraphiQL's menu. */
export interface Example {
  readonly name: string;
  /** What it does, in a sentence. */
  readonly comment: string;
  readonly query: string;
}

/** The example operations. Each runs unchanged, without variables, on the demo workspace. */
export const examples: readonly Example[] = [
  {
    name: 'My global settings',
    comment: 'Your user, and your global notification settings.',
    query: `query MyGlobalSettings {
  currentUser {
    username
    name
    webUrl
  }
  notificationSettings {
    level
    notificationEmail
    events {
      event
      enabled
      isSet
    }
  }
}
`,
  },
  {
    name: 'All settings with their effective levels',
    comment: 'Each of your settings with its effective level, and where that level comes from.',
    query: `query EverySetting {
  currentUser {
    notificationSettings(first: 50, inherited: true) {
      edges {
        node {
          scope
          group {
            fullPath
          }
          project {
            fullPath
          }
          level
          isLevelSet
          effective {
            level
            source
            sourceGroup {
              fullPath
            }
          }
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
`,
  },
  {
    name: 'Change a level',
    comment: 'Watch one project. The token needs the scope api.',
    query: `mutation ChangeLevel {
  updateNotificationSettings(
    input: { project: "demo/storefront", level: WATCH }
  ) {
    notificationSettings {
      level
      effective {
        level
        source
      }
    }
  }
}
`,
  },
  {
    name: 'Change several settings at once',
    comment: 'Two settings in one transaction: both change, or neither. The token needs the scope api.',
    query: `mutation ChangeSeveral {
  bulkUpdateNotificationSettings(
    input: {
      settings: [
        { group: "demo", level: MENTION }
        {
          project: "demo/storefront"
          level: CUSTOM
          events: [
            { event: NEW_ISSUE, enabled: true }
            { event: FAILED_PIPELINE, enabled: true }
          ]
        }
      ]
    }
  ) {
    notificationSettings {
      scope
      level
      effective {
        level
        source
      }
    }
  }
}
`,
  },
  {
    name: 'Reset a project',
    comment: 'Delete your settings for a project, so that it inherits from its group. The token needs the scope api.',
    query: `mutation ResetToInherit {
  resetNotificationSettings(input: { project: "demo/storefront" }) {
    notificationSettings {
      level
      effective {
        level
        source
      }
    }
  }
}
`,
  },
  {
    name: 'Subscribe to my settings',
    comment: 'Runs until you stop it. Change a setting in another tab or over REST, and see the change here.',
    query: `subscription FollowMySettings {
  notificationSettingsChanged {
    scope
    group {
      fullPath
    }
    project {
      fullPath
    }
    level
    effective {
      level
      source
    }
  }
}
`,
  },
  {
    name: 'Error tracking of a project',
    comment: 'The error tracking settings of a project, for its maintainers.',
    query: `query ErrorTracking {
  errorTrackingSettings(project: "demo/storefront") {
    active
    projectName
    apiUrl
    trackerExternalUrl
  }
}
`,
  },
  {
    name: 'About my access token',
    comment: 'Scopes and expiry of an OAuth access token. It doesn’t work for a personal access token.',
    query: `query AboutMyToken {
  tokenInfo {
    resourceOwnerId
    scope
    expiresIn
    application {
      uid
    }
    createdAt
  }
}
`,
  },
];
