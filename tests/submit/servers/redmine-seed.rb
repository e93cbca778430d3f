# SPDX-License-Identifier: GPL-2.0-or-later
# What a fresh Redmine needs for the tests: a project, who may report in it, who may not. Prints one JSON line.
require 'json'
require 'redmine/default_data/loader'

Redmine::DefaultData::Loader.load('en') if Redmine::DefaultData::Loader.no_data?
# Nobody reads mails here, and a job that sends them beside us finds the database locked at times, or locks it for us.
ActiveJob::Base.queue_adapter = :inline
ActionMailer::Base.perform_deliveries = false
Setting.notified_events = []
Setting.rest_api_enabled = '1'
Setting.attachment_max_size = ENV.fetch('MTW_MAX_KIB')

def person(login, language = 'en')
  user = User.new(firstname: login, lastname: 'Tester', mail: "#{login}@example.invalid", language: language)
  user.login = login
  user.password = user.password_confirmation = 'Secret-pass1'
  user.must_change_passwd = false
  user.admin = login == 'boss'
  user.save!
  user
end

reporter = person('reporter')
german = person('german', 'de')
stranger = person('stranger')
mute = person('mute')
boss = person('boss')
project = Project.create!(name: 'Nouveau', identifier: 'nouveau', is_public: true,
                          tracker_ids: Tracker.pluck(:id), enabled_module_names: ['issue_tracking'])
Project.create!(name: 'Hidden', identifier: 'hidden', is_public: false,
                tracker_ids: Tracker.pluck(:id), enabled_module_names: ['issue_tracking'])
Role.non_member.remove_permission!(*(Role.non_member.permissions - [:view_issues]))
[reporter, german].each do |user|
  Member.create!(project: project, principal: user, roles: [Role.givable.find_by_name('Reporter')])
end
silent = Role.create!(name: 'Silent', permissions: [:view_issues, :add_issues, :edit_own_issues])
Member.create!(project: project, principal: mute, roles: [silent])
issue = Issue.create!(project: project, tracker: project.trackers.first, author: boss,
                      subject: 'The display stays black', description: 'On this card.')
own = Issue.create!(project: project, tracker: project.trackers.first, author: mute, subject: 'No sound')
puts JSON.generate(mute: mute.api_key, own: own.id, reporter: reporter.api_key, german: german.api_key, stranger: stranger.api_key, boss: boss.api_key, issue: issue.id,
                   trackers: project.trackers.pluck(:name, :id).to_h)
